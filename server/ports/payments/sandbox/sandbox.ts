import { newId } from '../../../ids.ts';
import { createCalendar } from '../calendar.ts';
import {
  notFound,
  unknownCheckout,
  type Payments,
  type ProviderCheckoutState,
  type ProviderSubscription,
  type ProviderSubscriptionState,
} from '../payments.ts';
import { fingerprintCard, showCard, type CardName } from './cards.ts';
import {
  endDispute,
  isOurCharge,
  listPayouts,
  loseUnanswered,
  openDispute,
  presentCharge,
  refundCharge,
} from './charges.ts';
import {
  closeCheckout,
  finishCheckout,
  isExpired,
  MINIMUM_CENTS,
  openCheckout,
  payCheckout,
  type PayOutcome,
} from './checkouts.ts';
import { noWork, type SandboxParts, type SandboxWork } from './parts.ts';
import {
  findCardUpdate,
  findCharge,
  findCheckout,
  findCheckoutByReference,
  findSubscription,
  insertCardUpdate,
  listChargesOf,
  listDue,
  listSubscriptionsOf,
  listUnanswered,
  type ChargeRow,
  type CheckoutRow,
  type SubscriptionRow,
} from './store.ts';
import {
  cancelSubscription,
  editAmount,
  endSubscription,
  payOwed,
  renewSubscription,
  replaceCard,
  replaceSubscription,
  setCard,
  type CardOutcome,
} from './subscriptions.ts';
import {
  findEvent,
  listUndelivered,
  markDelivered,
  parseSandboxWebhook,
  signWebhook,
  type SignedWebhook,
} from './webhooks.ts';

export { presentCharge } from './charges.ts';
export type { SignedWebhook } from './webhooks.ts';

type SandboxOptions = Omit<SandboxParts, 'calendar' | 'work'> & {
  monthMs?: number | null;
  /** Without it nothing is delivered or renewed automatically: see `drainWebhooks`, `renewDue`. */
  work?: SandboxWork;
};

/**
 * A simulated payment provider with all its state in its own tables. What users do on its pages and
 * what banks do are functions here, so that a test can simulate any history.
 */
export type Sandbox = {
  payments: Payments;
  findCheckout: (id: string) => Promise<CheckoutRow | undefined>;
  /** By id or by our reference. */
  pay: (
    checkout: string,
    choice: { card: CardName; isConfirmed?: boolean | undefined },
  ) => Promise<PayOutcome>;
  close: (checkoutId: string) => Promise<void>;
  findCardUpdate: (
    id: string,
  ) => Promise<{ subscription: SubscriptionRow; returnUrl: string } | undefined>;
  replaceCard: (providerSubscriptionId: string, card: CardName) => Promise<CardOutcome>;
  /** The bank declines every payment of this subscription from now on. */
  emptyAccount: (providerSubscriptionId: string) => Promise<void>;
  /** There is money again. */
  fillAccount: (providerSubscriptionId: string) => Promise<void>;
  /** The amount of all later payments, edited at the provider without telling the site. */
  editAmount: (providerSubscriptionId: string, amount: number) => Promise<void>;
  /** Makes the subscription of a checkout that was paid with a card of which it comes later. */
  finish: (checkout: string) => Promise<void>;
  /** Charges or ends a subscription if it is due. */
  renew: (providerSubscriptionId: string) => Promise<void>;
  /** Renews everything that is due and ends unanswered disputes; returns the number of subscriptions. */
  renewDue: () => Promise<number>;
  dispute: (chargeId: string) => Promise<void>;
  /** The bank decides. */
  endDispute: (chargeId: string, outcome?: 'won' | 'lost') => Promise<void>;
  /** Ends a dispute if the time to answer is over. */
  loseUnanswered: (chargeId: string) => Promise<void>;
  /** The signed undelivered events, in order. They count as delivered from then on. */
  drainWebhooks: () => Promise<SignedWebhook[]>;
  /** Undefined when the event is already delivered. */
  signEvent: (eventId: string) => Promise<SignedWebhook | undefined>;
  markDelivered: (eventId: string) => Promise<unknown>;
};

export function toProviderSubscription(row: SubscriptionRow): ProviderSubscription {
  const isRenewed = row.status === 'active' || row.status === 'late';
  return {
    id: row.id,
    customerId: row.customer_id,
    plan: row.plan,
    status: row.status,
    nextChargeAt: isRenewed ? row.next_charge_at : null,
    nextAmount: isRenewed ? row.next_amount : null,
    nextPlan: isRenewed ? row.next_plan : null,
    card: showCard(row.card),
  };
}

export const presentCheckout = (
  row: CheckoutRow,
  charge: ChargeRow | undefined,
  now: number,
): ProviderCheckoutState => ({
  state: row.state === 'closed' || isExpired(row, now) ? 'failed' : row.state,
  providerSubscriptionId: row.provider_subscription_id,
  customerId: row.customer_id,
  charge: charge ? presentCharge(charge) : null,
  cardFingerprint: row.card === null ? null : fingerprintCard(row.card, row.customer_id),
});

const refuseUnknown = (what: string) => notFound(`The sandbox doesn’t have this ${what}.`);

function createPaymentsOf(parts: SandboxParts): Payments {
  const { database, clock, site, calendar } = parts;
  const { db } = database;
  const readState = async (row: SubscriptionRow): Promise<ProviderSubscriptionState> => ({
    providerSubscription: toProviderSubscription(row),
    charges: (await listChargesOf(db, row.id)).map(presentCharge),
  });
  return {
    name: 'sandbox',
    calendar,
    minimumAmount: MINIMUM_CENTS,
    planIdExample: null,
    checkPlanId: async () => undefined,
    usePlanIds: () => undefined,
    startCheckout: async (request) => {
      const id = await openCheckout(parts, request);
      return { url: `${site.origin}/sandbox/checkout/${id}`, checkoutId: id };
    },
    getCheckout: async (reference) => {
      const row = await findCheckoutByReference(db, reference);
      if (!row) return unknownCheckout;
      const charge = row.charge_id ? await findCharge(db, row.charge_id) : undefined;
      return presentCheckout(row, charge, clock.now());
    },
    finishCheckout: async (reference) => ({
      providerSubscriptionId: await finishCheckout(parts, reference),
    }),
    getProviderSubscription: async (id) => {
      const row = await findSubscription(db, id);
      if (!row) throw refuseUnknown('subscription');
      return readState(row);
    },
    listProviderSubscriptions: async (customerId) =>
      Promise.all((await listSubscriptionsOf(db, customerId)).map(readState)),
    cancelAtPeriodEnd: (id) => cancelSubscription(parts, id),
    endNow: (id) => endSubscription(parts, id),
    resume: async (change) => ({
      providerSubscriptionId: await replaceSubscription(parts, change),
    }),
    payOwed: (payment) => payOwed(parts, payment),
    changePlan: async (change) => ({
      providerSubscriptionId: await replaceSubscription(parts, change),
    }),
    cardUpdateUrl: async (providerSubscriptionId, returnUrl) => {
      if (!(await findSubscription(db, providerSubscriptionId)))
        throw refuseUnknown('subscription');
      const now = clock.now();
      const id = `upd_${newId(now)}`;
      const row = {
        id,
        provider_subscription_id: providerSubscriptionId,
        return_url: returnUrl,
        created_at: now,
      };
      await insertCardUpdate(db, row);
      return `${site.origin}/sandbox/card/${id}`;
    },
    refund: (refund) => refundCharge(parts, refund),
    isOurs: async (id) => isOurCharge(await findCharge(db, id)),
    listPayouts: (range) => listPayouts(parts, range),
    parseWebhook: (headers, rawBody) => parseSandboxWebhook(db, headers, rawBody),
  };
}

export function createSandbox(options: SandboxOptions): Sandbox {
  const { database, clock, site, monthMs = null, work = noWork } = options;
  const parts = { database, clock, site, calendar: createCalendar(monthMs), work };
  const { db } = database;
  return {
    payments: createPaymentsOf(parts),
    findCheckout: (id) => findCheckout(db, id),
    pay: async (checkout, choice) => {
      const found = await findCheckoutByReference(db, checkout);
      return payCheckout(parts, found?.id ?? checkout, choice);
    },
    close: (id) => closeCheckout(parts, id),
    findCardUpdate: async (id) => {
      const update = await findCardUpdate(db, id);
      const subscription = update && (await findSubscription(db, update.provider_subscription_id));
      return subscription && { subscription, returnUrl: update.return_url };
    },
    replaceCard: (id, card) => replaceCard(parts, id, card),
    renew: (id) => renewSubscription(parts, id),
    renewDue: async () => {
      const due = await listDue(db, clock.now());
      for (const { id } of due) await renewSubscription(parts, id);
      for (const { id } of await listUnanswered(db, clock.now())) await loseUnanswered(parts, id);
      return due.length;
    },
    emptyAccount: (id) => setCard(parts, id, 'insufficient-funds'),
    fillAccount: (id) => setCard(parts, id, 'success'),
    editAmount: (id, amount) => editAmount(parts, id, amount),
    finish: async (checkout) => void (await finishCheckout(parts, checkout)),
    dispute: (id) => openDispute(parts, id),
    endDispute: (id, outcome = 'won') => endDispute(parts, id, outcome),
    loseUnanswered: (id) => loseUnanswered(parts, id),
    drainWebhooks: async () => {
      const webhooks: SignedWebhook[] = [];
      for (const { id, body } of await listUndelivered(db)) {
        webhooks.push(await signWebhook(db, body));
        await markDelivered(db, id, clock.now());
      }
      return webhooks;
    },
    signEvent: async (id) => {
      const event = await findEvent(db, id);
      return event?.delivered_at === null ? signWebhook(db, event.body) : undefined;
    },
    markDelivered: (id) => markDelivered(db, id, clock.now()),
  };
}

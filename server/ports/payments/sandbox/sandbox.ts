import { newId } from '../../../ids.ts';
import { createCalendar } from '../calendar.ts';
import {
  type Charge,
  type Payments,
  type ProviderCheckoutState,
  type ProviderSubscription,
  type ProviderSubscriptionState,
  notFound,
  refusal,
  unknownCheckout,
  type RefundRequest,
} from '../payments.ts';
import {
  cancelSubscription,
  changeSubscription,
  endSubscription,
  payOwed,
  renewSubscription,
  replaceCard,
  resumeSubscription,
} from './subscriptions.ts';
import { showCard, type CardName } from './cards.ts';
import {
  closeCheckout,
  isExpired,
  openCheckout,
  payCheckout,
  type PayOutcome,
} from './checkouts.ts';
import { noWork, type SandboxParts, type SandboxWork, inTransaction } from './parts.ts';
import {
  findSubscription,
  findCardUpdate,
  findCharge,
  findCheckout,
  findCheckoutByReference,
  insertCardUpdate,
  listSubscriptionsOf,
  listChargesOf,
  listDue,
  type SubscriptionRow,
  type ChargeRow,
  type CheckoutRow,
  claimRefund,
  lockCharge,
  updateCharge,
} from './store.ts';
import {
  findEvent,
  listUndelivered,
  markDelivered,
  parseSandboxWebhook,
  signWebhook,
  type SignedWebhook,
  recordEvent,
} from './webhooks.ts';

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
  replaceCard: (providerSubscriptionId: string, card: CardName) => Promise<void>;
  /** Charges or ends a subscription if it is due. */
  renew: (providerSubscriptionId: string) => Promise<void>;
  /** Renews everything that is due; returns the number of subscriptions. */
  renewDue: () => Promise<number>;
  dispute: (chargeId: string) => Promise<void>;
  endDispute: (chargeId: string) => Promise<void>;
  /** The signed undelivered events, in order. They count as delivered from then on. */
  drainWebhooks: () => Promise<SignedWebhook[]>;
  /** Undefined when the event is already delivered. */
  signEvent: (eventId: string) => Promise<SignedWebhook | undefined>;
  markDelivered: (eventId: string) => Promise<unknown>;
};

export const presentCharge = (row: ChargeRow): Charge => ({
  id: row.id,
  reference: row.reference,
  customerId: row.customer_id,
  providerSubscriptionId: row.provider_subscription_id,
  plan: row.plan,
  status: row.status,
  amount: row.amount,
  refunded: row.refunded,
  currency: row.currency,
  fee: null,
  dispute: row.is_disputed === 1 ? { state: 'open', respondBy: null } : null,
  at: row.at,
  card: showCard(row.card),
  failure: row.failure,
});

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
  cardFingerprint: null,
});

const refuseUnknown = (what: string) => notFound(`The sandbox doesn’t have this ${what}.`);

const MINIMUM_CENTS = 100;

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
      providerSubscriptionId:
        (await findCheckoutByReference(db, reference))?.provider_subscription_id ?? null,
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
    resume: async ({ providerSubscriptionId }) => {
      await resumeSubscription(parts, providerSubscriptionId);
      return { providerSubscriptionId };
    },
    payOwed: (payment) => payOwed(parts, payment),
    changePlan: async (change) => {
      await changeSubscription(parts, change);
      return { providerSubscriptionId: change.providerSubscriptionId };
    },
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
    isOurs: async () => true,
    listPayouts: async () => [],
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
      return due.length;
    },
    dispute: (id) => setDisputed(parts, id, true),
    endDispute: (id) => setDisputed(parts, id, false),
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

const subjectOf = (row: ChargeRow) => ({
  chargeId: row.id,
  reference: row.reference,
  providerSubscriptionId: row.provider_subscription_id,
  customerId: row.customer_id,
  plan: row.plan,
});

export const refundCharge = (
  parts: SandboxParts,
  { chargeId, amount, key }: RefundRequest,
): Promise<void> =>
  inTransaction(parts, async (tx) => {
    const row = await lockCharge(tx, parts.database.dialect, chargeId);
    if (row?.status !== 'paid') throw refusal('The sandbox doesn’t have this payment.');
    const at = parts.clock.now();
    if (!(await claimRefund(tx, { key, charge_id: chargeId, amount, at }))) return;
    if (amount <= 0 || row.refunded + amount > row.amount)
      throw refusal('The refund is more than what is left of the payment.');
    await updateCharge(tx, chargeId, { refunded: row.refunded + amount });
    await recordEvent(parts, tx, 'charge.refunded', subjectOf(row));
  });

/** The bank charges the payment back, or reverses that. */
export const setDisputed = (
  parts: SandboxParts,
  chargeId: string,
  isDisputed: boolean,
): Promise<void> =>
  inTransaction(parts, async (tx) => {
    const row = await lockCharge(tx, parts.database.dialect, chargeId);
    if (row?.status !== 'paid') throw refusal('The sandbox doesn’t have this payment.');
    if ((row.is_disputed === 1) === isDisputed) return;
    await updateCharge(tx, chargeId, { is_disputed: isDisputed ? 1 : 0 });
    const kind = isDisputed ? 'charge.disputed' : 'charge.dispute-ended';
    await recordEvent(parts, tx, kind, subjectOf(row));
  });

import type { Stripe } from 'stripe';
import type { PlanIds } from '../../../payments-settings.ts';
import {
  isNotFound,
  type Dispute as ChargeDispute,
  type ProviderSubscriptionState,
} from '../payments.ts';
import { toPlan } from '../plan-ids.ts';
import { askStripe, listStripe } from './ask-stripe.ts';
import { listInvoices, useNewCard } from './collect.ts';
import { toProviderSubscription, presentCharge } from './present.ts';
import { Charge, Dispute, Page, Subscription, type Invoice } from './shapes.ts';

const EXPAND = [
  'schedule.phases.items.price',
  'default_payment_method',
  'customer.invoice_settings.default_payment_method',
];

export const fetchSubscription = (stripe: Stripe, id: string): Promise<Subscription> =>
  askStripe(Subscription, stripe.subscriptions.retrieve(id, { expand: EXPAND }));

/** Disputes in which the money is gone or held; an inquiry does neither. */
const DISPUTED = new Set([
  'needs_response',
  'under_review',
  'lost',
  'appeal_needs_response',
  'appeal_under_review',
]);

/** The bank waits for our answer. */
const UNANSWERED = new Set(['needs_response', 'appeal_needs_response']);

async function findDispute(stripe: Stripe, charge: Charge): Promise<ChargeDispute | null> {
  if (!charge.disputed) return null;
  const disputes = await askStripe(
    Page(Dispute),
    stripe.disputes.list({ charge: charge.id, limit: 100 }),
  );
  const found = disputes.data.find(({ status }) => DISPUTED.has(status));
  if (!found) return null;
  const respondBy = UNANSWERED.has(found.status) ? found.evidence_details.due_by : null;
  return { state: found.status === 'lost' ? 'lost' : 'open', respondBy };
}

const listCharges = (stripe: Stripe, customer: string) =>
  listStripe(Page(Charge), (page) =>
    stripe.charges.list({ customer, expand: ['data.balance_transaction'], ...page }),
  );

type Found = { subscription: Subscription; invoices: Invoice[] };

/** With a card that the customer has added since the last look. */
export async function findWithCard(stripe: Stripe, prices: PlanIds, id: string): Promise<Found> {
  const find = async () => ({
    subscription: await fetchSubscription(stripe, id),
    invoices: await listInvoices(stripe, id),
  });
  const found = await find();
  return (await useNewCard(stripe, prices, found.subscription, found.invoices)) ? find() : found;
}

/** One of our prices on any line; the last line is the newest plan. */
const findPlan = (prices: PlanIds, invoice: Invoice) =>
  invoice.lines.data
    .map(({ pricing }) => toPlan(prices, pricing?.price_details?.price.id))
    .findLast((plan) => plan !== null) ?? null;

async function readOne(
  stripe: Stripe,
  prices: PlanIds,
  { subscription, invoices }: Found,
  charges: readonly Charge[],
): Promise<ProviderSubscriptionState> {
  const ofIntent = new Map(
    invoices.flatMap((invoice) =>
      (invoice.payments?.data ?? []).flatMap(({ payment }) =>
        payment.payment_intent ? [[payment.payment_intent, invoice] as const] : [],
      ),
    ),
  );
  const own = charges.flatMap((charge) => {
    const invoice = ofIntent.get(charge.payment_intent ?? '');
    return invoice ? [{ charge, invoice }] : [];
  });
  const presented = await Promise.all(
    own.map(async ({ charge, invoice }) => {
      const plan = findPlan(prices, invoice);
      return presentCharge(
        charge,
        { subscription, invoice, plan },
        await findDispute(stripe, charge),
      );
    }),
  );
  const retry = invoices.find(({ status }) => status === 'open')?.next_payment_attempt ?? null;
  return {
    providerSubscription: toProviderSubscription(prices, subscription, retry),
    charges: presented.toSorted((a, b) => a.at - b.at),
  };
}

export async function getProviderSubscription(
  stripe: Stripe,
  prices: PlanIds,
  id: string,
): Promise<ProviderSubscriptionState> {
  const found = await findWithCard(stripe, prices, id);
  const charges = await listCharges(stripe, found.subscription.customer.id);
  return readOne(stripe, prices, found, charges);
}

export async function readCustomer(
  stripe: Stripe,
  prices: PlanIds,
  customer: string,
): Promise<ProviderSubscriptionState[]> {
  const listed = await listStripe(Page(Subscription), (page) =>
    stripe.subscriptions.list({ customer, status: 'all', ...page }),
  );
  if (listed.length === 0) return [];
  const found = await Promise.all(listed.map(({ id }) => findWithCard(stripe, prices, id)));
  const charges = await listCharges(stripe, customer);
  return Promise.all(found.map((one) => readOne(stripe, prices, one, charges)));
}

/** Whether it paid for one of our subscriptions: another shop may share the account. */
export async function isOurs(stripe: Stripe, prices: PlanIds, chargeId: string): Promise<boolean> {
  try {
    const { customer } = await askStripe(Charge, stripe.charges.retrieve(chargeId));
    const states = customer === null ? [] : await readCustomer(stripe, prices, customer);
    return states.some(
      ({ providerSubscription, charges }) =>
        providerSubscription.plan !== null && charges.some(({ id }) => id === chargeId),
    );
  } catch (error) {
    if (isNotFound(error)) return false;
    throw error;
  }
}

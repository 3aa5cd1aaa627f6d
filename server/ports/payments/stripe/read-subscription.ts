import type { Stripe } from 'stripe';
import type { PlanIds } from '../../../payments-settings.ts';
import type { Dispute as ChargeDispute, ProviderSubscriptionState } from '../payments.ts';
import { toPlan } from '../plan-ids.ts';
import { askStripe, listStripe } from './ask-stripe.ts';
import { toProviderSubscription, presentCharge } from './present.ts';
import { Charge, Dispute, Invoice, Page, Subscription } from './shapes.ts';

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

async function findDispute(stripe: Stripe, charge: Charge): Promise<ChargeDispute | null> {
  if (!charge.disputed) return null;
  const disputes = await askStripe(
    Page(Dispute),
    stripe.disputes.list({ charge: charge.id, limit: 100 }),
  );
  const found = disputes.data.find(({ status }) => DISPUTED.has(status));
  if (!found) return null;
  return { state: found.status === 'lost' ? 'lost' : 'open', respondBy: null };
}

const listCharges = (stripe: Stripe, customer: string) =>
  listStripe(Page(Charge), (page) => stripe.charges.list({ customer, ...page }));

const listInvoices = (stripe: Stripe, subscription: string) =>
  listStripe(Page(Invoice), (page) =>
    stripe.invoices.list({ subscription, expand: ['data.payments'], ...page }),
  );

/** One of our prices on any line; the last line is the newest plan. */
const findPlan = (prices: PlanIds, invoice: Invoice) =>
  invoice.lines.data
    .map(({ pricing }) => toPlan(prices, pricing?.price_details?.price.id))
    .findLast((plan) => plan !== null) ?? null;

async function readOne(
  stripe: Stripe,
  prices: PlanIds,
  subscription: Subscription,
  charges: readonly Charge[],
): Promise<ProviderSubscriptionState> {
  const invoices = await listInvoices(stripe, subscription.id);
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
  const subscription = await fetchSubscription(stripe, id);
  const charges = await listCharges(stripe, subscription.customer.id);
  return readOne(stripe, prices, subscription, charges);
}

export async function readCustomer(
  stripe: Stripe,
  prices: PlanIds,
  customer: string,
): Promise<ProviderSubscriptionState[]> {
  const found = await listStripe(Page(Subscription), (page) =>
    stripe.subscriptions.list({ customer, status: 'all', ...page }),
  );
  if (found.length === 0) return [];
  const charges = await listCharges(stripe, customer);
  return Promise.all(
    found.map(async ({ id }) =>
      readOne(stripe, prices, await fetchSubscription(stripe, id), charges),
    ),
  );
}

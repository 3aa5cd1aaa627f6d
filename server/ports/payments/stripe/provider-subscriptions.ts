import type { Stripe } from 'stripe';
import { z } from 'zod';
import type { Plan } from '#contract/rules/plans.ts';
import { DAY } from '#contract/rules/time.ts';
import { isNotFound, type SavedCard } from '../payments.ts';
import type { ProviderSubscription, ProviderSubscriptions } from '../provider-subscriptions.ts';
import { askStripe, listStripe } from './ask-stripe.ts';
import { CardDetails, Page, presentCard } from './answers.ts';
import { connectStripe, TIMEOUT_MS, type StripeSettings } from './stripe-payments.ts';

/** An invoice may be paid this long after it was written. */
const PAID_WITHIN_MS = 30 * DAY;

const PLANS: Record<string, Plan> = {
  'month 1': 'monthly',
  'month 12': 'annual',
  'year 1': 'annual',
};
const ENDED = new Set(['canceled', 'incomplete_expired']);

const seconds = z.int().transform((time) => time * 1000);
const Method = z
  .object({ id: z.string(), type: z.string(), card: CardDetails.nullish() })
  .nullish();

const Item = z.object({
  current_period_end: seconds,
  quantity: z.int().nullish(),
  price: z.object({
    id: z.string().min(1),
    unit_amount: z.int().nullable(),
    currency: z.string(),
    recurring: z.object({ interval: z.string(), interval_count: z.int() }).nullable(),
  }),
});

const Subscription = z.object({
  id: z.string().min(1),
  status: z.string(),
  cancel_at_period_end: z.boolean(),
  cancel_at: z.int().nullish(),
  collection_method: z.string(),
  pause_collection: z.unknown(),
  schedule: z.unknown(),
  latest_invoice: z.object({ status: z.string().nullable() }).nullish(),
  customer: z.object({
    id: z.string().min(1),
    email: z.string().nullish(),
    invoice_settings: z.object({ default_payment_method: Method }).nullish(),
  }),
  /** It wins over the customer's. */
  default_payment_method: Method,
  items: z.object({
    data: z.tuple([Item], Item),
  }),
});
type Subscription = z.output<typeof Subscription>;

const Invoice = z.object({
  id: z.string().min(1),
  amount_paid: z.int(),
  currency: z.string(),
  status_transitions: z.object({ paid_at: seconds.nullable() }),
});

const EXPAND = [
  'default_payment_method',
  'customer.invoice_settings.default_payment_method',
  'latest_invoice',
];

/** Paid up, and the next payment is one price from one card, with nothing planned. */
const isRenewing = (found: Subscription): boolean =>
  found.status === 'active' &&
  !found.cancel_at_period_end &&
  !found.cancel_at &&
  !found.schedule &&
  !found.pause_collection &&
  found.collection_method === 'charge_automatically' &&
  found.latest_invoice?.status === 'paid' &&
  found.items.data.length === 1;

function findCard({ customer, default_payment_method: pinned }: Subscription): SavedCard | null {
  const method = pinned ?? customer.invoice_settings?.default_payment_method;
  if (method?.type !== 'card') return null;
  return {
    card: presentCard(method.card),
    token: method.id,
    email: customer.email ?? '',
    customerId: customer.id,
    fingerprint: method.card?.fingerprint ?? null,
  };
}

function present(found: Subscription): ProviderSubscription {
  const { id, status, customer, items } = found;
  const { price, quantity, current_period_end: nextAt } = items.data[0];
  const { interval, interval_count: count } = price.recurring ?? {};
  const isEnded = ENDED.has(status);
  return {
    id,
    planId: price.id,
    plan: PLANS[`${interval} ${count}`] ?? null,
    state: isEnded ? 'ended' : isRenewing(found) ? 'renewing' : 'other',
    status,
    amount: (price.unit_amount ?? 0) * (quantity ?? 1),
    currency: price.currency.toUpperCase(),
    nextAt: isEnded ? null : nextAt,
    customerId: customer.id,
    email: customer.email ?? null,
    card: findCard(found),
  };
}

async function listCharges(stripe: Stripe, subscription: string, since: number) {
  const created = { gte: Math.floor((since - PAID_WITHIN_MS) / 1000) };
  const invoices = await listStripe(Page(Invoice), (page) =>
    stripe.invoices.list({ subscription, status: 'paid', created, ...page }),
  );
  return invoices
    .map(({ amount_paid: amount, currency, status_transitions: { paid_at: at } }) => ({
      at: at ?? 0,
      amount,
      currency: currency.toUpperCase(),
    }))
    .filter(({ at, amount }) => at >= since && amount > 0)
    .toSorted((a, b) => a.at - b.at);
}

/** At once, without giving back what is paid: its time counts here. */
async function end(stripe: Stripe, id: string) {
  try {
    const how = { prorate: false, invoice_now: false };
    await askStripe(z.object({ id: z.string() }), stripe.subscriptions.cancel(id, how));
  } catch (error) {
    // Stripe no longer knows one that was cancelled.
    if (!isNotFound(error)) throw error;
  }
}

export function createStripeSubscriptions(settings: StripeSettings): ProviderSubscriptions {
  let connected: Promise<Stripe> | undefined;
  const connect = () => (connected ??= connectStripe(settings, TIMEOUT_MS));
  return {
    list: async () => {
      const stripe = await connect();
      const expand = EXPAND.map((field) => `data.${field}`);
      const found = await listStripe(Page(Subscription), (page) =>
        stripe.subscriptions.list({ expand, ...page }),
      );
      return found.map(present);
    },
    read: async (id) => {
      const stripe = await connect();
      const found = stripe.subscriptions.retrieve(id, { expand: EXPAND });
      return present(await askStripe(Subscription, found));
    },
    listCharges: async ({ id }, since) => listCharges(await connect(), id, since),
    end: async (id) => end(await connect(), id),
  };
}

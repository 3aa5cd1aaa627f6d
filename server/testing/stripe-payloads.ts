import type { Stripe } from 'stripe';

/**
 * Objects as Stripe sends them, typed by the official client, so that a renamed field in a new API
 * version does not compile.
 */

const toSeconds = (time: number) => Math.floor(time / 1000);
const list = <T>(data: T[]) => ({ object: 'list' as const, data, has_more: false, url: '/v1' });

export type FakePrice = { id: string; amount: number; interval: 'month' | 'year' };

export const pricePayload = ({ id, amount, interval }: FakePrice) =>
  ({
    id,
    object: 'price',
    active: true,
    currency: 'zar',
    recurring: {
      interval,
      interval_count: 1,
      meter: null,
      trial_period_days: null,
      usage_type: 'licensed',
    },
    type: 'recurring',
    unit_amount: amount,
    product: 'prod_premium',
  }) satisfies Partial<Stripe.Price>;

const card = { brand: 'visa', last4: '4242', exp_month: 12, exp_year: 2034 };

export type FakeSession = {
  id: string;
  reference: string;
  status: 'open' | 'complete' | 'expired';
  customer: string | null;
  subscription: string | null;
  isFree: boolean;
  createdAt: number;
};

export const sessionPayload = (session: FakeSession) =>
  ({
    id: session.id,
    object: 'checkout.session',
    client_reference_id: session.reference,
    created: toSeconds(session.createdAt),
    mode: 'subscription',
    status: session.status,
    payment_status:
      session.status !== 'complete' ? 'unpaid' : session.isFree ? 'no_payment_required' : 'paid',
    url: session.status === 'open' ? `https://checkout.stripe.com/c/pay/${session.id}` : null,
    customer: session.customer,
    subscription: session.subscription,
  }) satisfies Partial<Stripe.Checkout.Session>;

export type FakePhase = { price: FakePrice; startsAt: number; endsAt: number };
export type FakeSchedule = {
  id: string;
  status: 'active' | 'released';
  subscription: string;
  customer: string;
  phases: FakePhase[];
  current: FakePhase;
};

export const schedulePayload = (schedule: FakeSchedule) => ({
  ...({
    id: schedule.id,
    object: 'subscription_schedule',
    status: schedule.status,
    customer: schedule.customer,
    subscription: schedule.subscription,
    current_phase:
      schedule.status === 'active'
        ? {
            start_date: toSeconds(schedule.current.startsAt),
            end_date: toSeconds(schedule.current.endsAt),
          }
        : null,
  } satisfies Partial<Stripe.SubscriptionSchedule>),
  phases: schedule.phases.map((phase) => ({
    ...({
      start_date: toSeconds(phase.startsAt),
      end_date: toSeconds(phase.endsAt),
    } satisfies Partial<Stripe.SubscriptionSchedule.Phase>),
    items: [
      {
        price: pricePayload(phase.price),
        quantity: 1,
      } satisfies { [K in 'price' | 'quantity']: unknown },
    ],
  })),
});

export type FakeSubscription = {
  id: string;
  reference: string;
  customer: string;
  status: 'active' | 'trialing' | 'past_due' | 'canceled';
  price: FakePrice;
  isCancelled: boolean;
  trialEnd: number | null;
  periodStart: number;
  periodEnd: number;
  schedule: FakeSchedule | null;
};

export const subscriptionPayload = (subscription: FakeSubscription) => ({
  ...({
    id: subscription.id,
    object: 'subscription',
    status: subscription.status,
    cancel_at_period_end: subscription.isCancelled,
    cancel_at: subscription.isCancelled ? toSeconds(subscription.periodEnd) : null,
    currency: 'zar',
    metadata: { reference: subscription.reference },
    trial_end: subscription.trialEnd === null ? null : toSeconds(subscription.trialEnd),
  } satisfies Partial<Stripe.Subscription>),
  customer: { id: subscription.customer, invoice_settings: { default_payment_method: null } },
  default_payment_method: { id: 'pm_1', object: 'payment_method', card },
  schedule: subscription.schedule ? schedulePayload(subscription.schedule) : null,
  items: list([
    {
      ...({
        id: `si_${subscription.id}`,
        object: 'subscription_item',
        current_period_start: toSeconds(subscription.periodStart),
        current_period_end: toSeconds(subscription.periodEnd),
        quantity: 1,
        subscription: subscription.id,
      } satisfies Partial<Stripe.SubscriptionItem>),
      price: pricePayload(subscription.price),
    },
  ]),
});

export type FakeInvoice = {
  id: string;
  customer: string;
  subscription: string;
  reason: 'subscription_create' | 'subscription_cycle';
  status: 'paid' | 'open';
  price: FakePrice;
  amount: number;
  intent: string | null;
  createdAt: number;
  retryAt: number | null;
};

export const invoicePayload = (invoice: FakeInvoice) => ({
  ...({
    id: invoice.id,
    object: 'invoice',
    amount_due: invoice.amount,
    billing_reason: invoice.reason,
    created: toSeconds(invoice.createdAt),
    currency: 'zar',
    customer: invoice.customer,
    next_payment_attempt: invoice.retryAt === null ? null : toSeconds(invoice.retryAt),
    status: invoice.status,
  } satisfies Partial<Stripe.Invoice>),
  parent: {
    type: 'subscription_details',
    quote_details: null,
    subscription_details: { metadata: null, subscription: invoice.subscription },
  } satisfies Partial<Stripe.Invoice.Parent>,
  lines: list([
    {
      object: 'line_item',
      amount: invoice.amount,
      pricing: {
        type: 'price_details',
        price_details: { price: invoice.price.id, product: 'prod_premium' },
        unit_amount_decimal: null,
      } satisfies Stripe.InvoiceLineItem.Pricing,
    },
  ]),
  payments: list(
    invoice.intent === null
      ? []
      : [
          {
            object: 'invoice_payment',
            payment: {
              type: 'payment_intent',
              payment_intent: invoice.intent,
            } satisfies Stripe.InvoicePayment.Payment,
          },
        ],
  ),
});

export type FakeCharge = {
  id: string;
  customer: string;
  intent: string;
  amount: number;
  refunded: number;
  isDisputed: boolean;
  isPaid: boolean;
  at: number;
};

export const chargePayload = (charge: FakeCharge) => ({
  ...({
    id: charge.id,
    object: 'charge',
    amount: charge.amount,
    amount_refunded: charge.refunded,
    created: toSeconds(charge.at),
    currency: 'zar',
    customer: charge.customer,
    disputed: charge.isDisputed,
    failure_message: charge.isPaid ? null : 'Your card has insufficient funds.',
    paid: charge.isPaid,
    payment_intent: charge.intent,
    refunded: charge.refunded === charge.amount,
    status: charge.isPaid ? 'succeeded' : 'failed',
  } satisfies Partial<Stripe.Charge>),
  payment_method_details: { type: 'card', card },
});

export const refundPayload = (refund: {
  id: string;
  charge: string;
  amount: number;
  key: string;
}) =>
  ({
    id: refund.id,
    object: 'refund',
    amount: refund.amount,
    charge: refund.charge,
    currency: 'zar',
    metadata: { key: refund.key },
    status: 'succeeded',
  }) satisfies Partial<Stripe.Refund>;

export const disputePayload = (charge: FakeCharge) =>
  ({
    id: `dp_${charge.id}`,
    object: 'dispute',
    amount: charge.amount,
    charge: charge.id,
    currency: 'zar',
    status: 'needs_response',
  }) satisfies Partial<Stripe.Dispute>;

export const listPayload = list;

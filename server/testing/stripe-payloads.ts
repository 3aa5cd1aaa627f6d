import type { Stripe } from 'stripe';

/**
 * Objects as Stripe sends them, typed by the official client, so that a renamed field in a new API
 * version does not compile.
 */

const toSeconds = (time: number) => Math.floor(time / 1000);
const list = <T>(data: T[]) => ({ object: 'list' as const, data, has_more: false, url: '/v1' });

export type FakePrice = {
  id: string;
  amount: number;
  interval: 'month' | 'year';
  intervalCount?: number;
};

export const pricePayload = ({ id, amount, interval, intervalCount = 1 }: FakePrice) =>
  ({
    id,
    object: 'price',
    active: true,
    currency: 'zar',
    recurring: {
      interval,
      interval_count: intervalCount,
      meter: null,
      trial_period_days: null,
      usage_type: 'licensed',
    },
    type: 'recurring',
    unit_amount: amount,
    product: 'prod_premium',
  }) satisfies Partial<Stripe.Price>;

export type FakePaymentMethod = { id: string; card: string; createdAt: number };

/** The same card has the same fingerprint, whoever uses it. */
const cardPayload = ({ card }: Pick<FakePaymentMethod, 'card'>) => ({
  brand: 'visa',
  last4: card === 'first' ? '4242' : '5556',
  exp_month: 12,
  exp_year: 2034,
  fingerprint: `fingerprint-of-${card}`,
});

export const paymentMethodPayload = (method: FakePaymentMethod, customer: string) => ({
  ...({
    id: method.id,
    object: 'payment_method',
    created: toSeconds(method.createdAt),
    customer,
    type: 'card',
  } satisfies Partial<Stripe.PaymentMethod>),
  card: cardPayload(method),
});

export type FakeCustomer = { id: string; paymentMethod: FakePaymentMethod | null };

export const customerPayload = ({ id, paymentMethod }: FakeCustomer) => ({
  id,
  object: 'customer',
  invoice_settings: {
    default_payment_method: paymentMethod && paymentMethodPayload(paymentMethod, id),
  },
});

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
  /** Pinned to the subscription at each phase. */
  paymentMethod: FakePaymentMethod;
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
  customer: FakeCustomer;
  /** Wins over the customer's. */
  paymentMethod: FakePaymentMethod;
  status: 'active' | 'trialing' | 'past_due' | 'canceled';
  price: FakePrice;
  isCancelled: boolean;
  /** Set by a cancellation on the portal, which doesn't say that it is at the period's end. */
  cancelAt?: number | null;
  trialEnd: number | null;
  periodStart: number;
  periodEnd: number;
  schedule: FakeSchedule | null;
};

function cancelAtOf({ isCancelled, periodEnd, cancelAt = null }: FakeSubscription): number | null {
  const at = isCancelled ? periodEnd : cancelAt;
  return at === null ? null : toSeconds(at);
}

export const subscriptionPayload = (subscription: FakeSubscription) => ({
  ...({
    id: subscription.id,
    object: 'subscription',
    status: subscription.status,
    cancel_at_period_end: subscription.isCancelled,
    cancel_at: cancelAtOf(subscription),
    currency: 'zar',
    metadata: { reference: subscription.reference },
    trial_end: subscription.trialEnd === null ? null : toSeconds(subscription.trialEnd),
  } satisfies Partial<Stripe.Subscription>),
  customer: customerPayload(subscription.customer),
  default_payment_method: paymentMethodPayload(
    subscription.paymentMethod,
    subscription.customer.id,
  ),
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
  status: 'draft' | 'open' | 'paid' | 'void';
  price: FakePrice;
  amount: number;
  intent: string | null;
  createdAt: number;
  /** When it is finalised, or tried again; null if never. */
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
  /** Its status at Stripe, and when the evidence is due. */
  dispute: { status: Stripe.Dispute.Status; dueAt: number } | null;
  isPaid: boolean;
  card: string;
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
    disputed: charge.dispute !== null,
    failure_message: charge.isPaid ? null : 'Your card has insufficient funds.',
    paid: charge.isPaid,
    payment_intent: charge.intent,
    refunded: charge.refunded === charge.amount,
    status: charge.isPaid ? 'succeeded' : 'failed',
  } satisfies Partial<Stripe.Charge>),
  balance_transaction: charge.isPaid
    ? { id: `txn_${charge.id}`, currency: 'zar', fee: feeOf(charge.amount) }
    : null,
  payment_method_details: { type: 'card', card: cardPayload(charge) },
});

const feeOf = (amount: number) => Math.round(amount * 0.029) + 200;

export type FakePayout = { id: string; amount: number; fees: number[]; at: number };

export const payoutPayload = (payout: FakePayout) =>
  ({
    id: payout.id,
    object: 'payout',
    amount: payout.amount,
    arrival_date: toSeconds(payout.at),
    automatic: true,
    currency: 'zar',
    status: 'paid',
  }) satisfies Partial<Stripe.Payout>;

/** What a payout consists of, and the payout itself. */
export const balancePayloads = ({ id, amount, fees }: FakePayout) => [
  { id: `txn_${id}`, type: 'payout', amount: -amount, fee: 0 },
  ...fees.map((fee, index) => ({ id: `txn_${id}_${index}`, type: 'charge', amount: 0, fee })),
];

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
    status: charge.dispute?.status ?? 'needs_response',
    evidence_details: {
      due_by: toSeconds(charge.dispute?.dueAt ?? 0),
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
      submission_method: 'not_submitted',
    },
  }) satisfies Partial<Stripe.Dispute>;

/** One page of a list, ten items long unless the request says otherwise. */
export function listPayload<T extends { id: string }>(items: readonly T[], query: URLSearchParams) {
  const after = query.get('starting_after');
  const start = after === null ? 0 : items.findIndex(({ id }) => id === after) + 1;
  const end = start + Number(query.get('limit') ?? 10);
  return { ...list(items.slice(start, end)), has_more: end < items.length };
}

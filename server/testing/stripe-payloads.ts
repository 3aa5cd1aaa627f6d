import type { Stripe } from 'stripe';

/**
 * Objects as Stripe sends them, typed by the official client, so that a renamed field in a new API
 * version does not compile.
 */

const toSeconds = (time: number) => Math.floor(time / 1000);
const list = <T>(data: T[]) => ({ object: 'list' as const, data, has_more: false, url: '/v1' });

export type FakePaymentMethod = {
  id: string;
  card: string;
  email: string;
  /** Null once it is detached. */
  customer: string | null;
};

/** The same card has the same fingerprint, whoever uses it. */
const cardPayload = (card: string) => ({
  brand: 'visa',
  last4: card === 'first' ? '4242' : '5556',
  exp_month: 12,
  exp_year: 2034,
  fingerprint: `fingerprint-of-${card}`,
});

export const paymentMethodPayload = (method: FakePaymentMethod) => ({
  ...({
    id: method.id,
    object: 'payment_method',
    customer: method.customer,
    type: 'card',
  } satisfies Partial<Stripe.PaymentMethod>),
  billing_details: { email: method.email },
  card: cardPayload(method.card),
});

export type FakeCharge = {
  id: string;
  intent: string;
  amount: number;
  /** Its status at Stripe, and when the evidence is due. */
  dispute: { status: Stripe.Dispute.Status; dueAt: number } | null;
  isPaid: boolean;
  /** `card`, or the way that a bank account paid. */
  type: string;
  card: string;
  email: string;
  at: number;
  refunds: FakeRefund[];
};

const feeOf = (amount: number) => Math.round(amount * 0.029) + 200;

/** Whether a failed refund is taken off the sum is not documented, so it isn't. */
const sumRefunds = ({ refunds }: FakeCharge) =>
  refunds.reduce((sum, refund) => sum + refund.amount, 0);

export const chargePayload = (charge: FakeCharge) => ({
  ...({
    id: charge.id,
    object: 'charge',
    amount: charge.amount,
    amount_refunded: sumRefunds(charge),
    created: toSeconds(charge.at),
    currency: 'zar',
    disputed: charge.dispute !== null,
    paid: charge.isPaid,
    payment_intent: charge.intent,
    status: charge.isPaid ? 'succeeded' : 'failed',
  } satisfies Partial<Stripe.Charge>),
  billing_details: { email: charge.email },
  balance_transaction: charge.isPaid
    ? { id: `txn_${charge.id}`, currency: 'zar', fee: feeOf(charge.amount) }
    : null,
  payment_method_details:
    charge.type === 'card'
      ? { type: 'card', card: cardPayload(charge.card) }
      : { type: charge.type },
});

export type FakeIntent = {
  id: string;
  status: Stripe.PaymentIntent.Status;
  amount: number;
  metadata: Record<string, string>;
  customer: string | null;
  paymentMethod: string | null;
  savesCard: boolean;
  error: { code: string; decline_code: string; message: string } | null;
  charge: FakeCharge | null;
  createdAt: number;
};

/** What went wrong includes the whole card, and so what charges it. */
export const intentPayload = (intent: FakeIntent) => ({
  ...({
    id: intent.id,
    object: 'payment_intent',
    amount: intent.amount,
    created: toSeconds(intent.createdAt),
    currency: 'zar',
    customer: intent.customer,
    metadata: intent.metadata,
    payment_method: intent.paymentMethod,
    setup_future_usage: intent.savesCard ? 'off_session' : null,
    status: intent.status,
  } satisfies Partial<Stripe.PaymentIntent>),
  last_payment_error: intent.error && {
    ...intent.error,
    type: 'card_error',
    payment_method: { id: intent.paymentMethod, object: 'payment_method' },
  },
  latest_charge: intent.charge && chargePayload(intent.charge),
});

export type FakeSetup = { id: string; metadata: Record<string, string>; method: FakePaymentMethod };

export const setupPayload = (setup: FakeSetup) => ({
  ...({
    id: setup.id,
    object: 'setup_intent',
    customer: setup.method.customer,
    metadata: setup.metadata,
    status: 'succeeded',
    usage: 'off_session',
  } satisfies Partial<Stripe.SetupIntent>),
  payment_method: paymentMethodPayload(setup.method),
});

export type FakeSession = {
  id: string;
  mode: 'payment' | 'setup';
  reference: string;
  status: 'open' | 'complete' | 'expired';
  isPaid: boolean;
  amount: number | null;
  email: string;
  customer: string | null;
  intent: string | null;
  setup: string | null;
  createdAt: number;
};

export const sessionPayload = (session: FakeSession) => ({
  ...({
    id: session.id,
    object: 'checkout.session',
    amount_total: session.amount,
    client_reference_id: session.reference,
    created: toSeconds(session.createdAt),
    currency: 'zar',
    customer: session.customer,
    mode: session.mode,
    payment_intent: session.intent,
    payment_status: session.isPaid
      ? session.mode === 'setup'
        ? 'no_payment_required'
        : 'paid'
      : 'unpaid',
    setup_intent: session.setup,
    status: session.status,
    url: session.status === 'open' ? `https://checkout.stripe.com/c/pay/${session.id}` : null,
  } satisfies Partial<Stripe.Checkout.Session>),
  customer_details: { email: session.email },
});

/** A subscription that Stripe charges itself, by its one price. */
export type FakeSubscription = {
  id: string;
  status: Stripe.Subscription.Status;
  customer: { id: string; email: string };
  method: FakePaymentMethod;
  price: { id: string; amount: number; interval: 'month' | 'year' };
  periodEnd: number;
  latestInvoice: FakeInvoice | null;
};

export const subscriptionPayload = (subscription: FakeSubscription) => ({
  ...({
    id: subscription.id,
    object: 'subscription',
    status: subscription.status,
    cancel_at_period_end: false,
    cancel_at: null,
    collection_method: 'charge_automatically',
    currency: 'zar',
    metadata: {},
    pause_collection: null,
    schedule: null,
  } satisfies Partial<Stripe.Subscription>),
  // As they are when they were expanded.
  customer: {
    id: subscription.customer.id,
    object: 'customer',
    email: subscription.customer.email,
    invoice_settings: { default_payment_method: null },
  },
  default_payment_method: paymentMethodPayload(subscription.method),
  latest_invoice: subscription.latestInvoice && invoicePayload(subscription.latestInvoice),
  items: list([
    {
      ...({
        id: `si_${subscription.id}`,
        object: 'subscription_item',
        current_period_end: toSeconds(subscription.periodEnd),
        quantity: 1,
        subscription: subscription.id,
      } satisfies Partial<Stripe.SubscriptionItem>),
      price: {
        id: subscription.price.id,
        object: 'price',
        currency: 'zar',
        unit_amount: subscription.price.amount,
        recurring: {
          interval: subscription.price.interval,
          interval_count: 1,
          meter: null,
          trial_period_days: null,
          usage_type: 'licensed',
        },
      } satisfies Partial<Stripe.Price>,
    },
  ]),
});

export type FakeInvoice = {
  id: string;
  subscription: string;
  amount: number;
  createdAt: number;
  paidAt: number | null;
};

export const invoicePayload = (invoice: FakeInvoice) =>
  ({
    id: invoice.id,
    object: 'invoice',
    amount_due: invoice.amount,
    amount_paid: invoice.paidAt === null ? 0 : invoice.amount,
    created: toSeconds(invoice.createdAt),
    currency: 'zar',
    status: invoice.paidAt === null ? 'open' : 'paid',
    status_transitions: {
      finalized_at: toSeconds(invoice.createdAt),
      marked_uncollectible_at: null,
      paid_at: invoice.paidAt === null ? null : toSeconds(invoice.paidAt),
      voided_at: null,
    },
  }) satisfies Partial<Stripe.Invoice>;

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

export type FakeRefund = {
  id: string;
  charge: string;
  intent: string;
  amount: number;
  metadata: Record<string, string>;
  status: 'succeeded' | 'failed';
  createdAt: number;
};

export const refundPayload = (refund: FakeRefund) =>
  ({
    id: refund.id,
    object: 'refund',
    amount: refund.amount,
    charge: refund.charge,
    created: toSeconds(refund.createdAt),
    currency: 'zar',
    metadata: refund.metadata,
    payment_intent: refund.intent,
    status: refund.status,
  }) satisfies Partial<Stripe.Refund>;

export const disputePayload = (charge: FakeCharge) =>
  ({
    id: `dp_${charge.id}`,
    object: 'dispute',
    amount: charge.amount,
    charge: charge.id,
    currency: 'zar',
    payment_intent: charge.intent,
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

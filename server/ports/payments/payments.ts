import type { IncomingHttpHeaders } from 'node:http';
import { z } from 'zod';
import type { Plan } from '#contract/rules/plans.ts';

export type ProviderName = 'sandbox' | 'paystack' | 'stripe';

/** What a provider tells us about a card: never its number. */
export type Card = { brand: string; last4: string; expiryMonth: number; expiryYear: number };

export type CheckoutRequest = {
  /** Ours and unguessable; also the idempotency key, so that asking twice starts one checkout. */
  reference: string;
  /** From an earlier call for the same reference: not every provider can return it again. */
  checkoutId?: string | null;
  userId: string;
  email: string;
  /** The provider's customer, if this user has been one before. */
  customerId: string | null;
  plan: Plan;
  /** Cents of the first payment: less than the plan's price with a coupon. */
  amount: number;
  /** Cents of every later payment. */
  renewalAmount: number;
  currency: string;
  /** When the first payment is due: now, or after a trial or free period. */
  firstChargeAt: number;
  /** Where the provider sends the user afterwards, paid or not. */
  successUrl: string;
  cancelUrl: string;
};

/** A payment that the bank has taken back, or holds until it decides. */
export type Dispute = {
  state: 'open' | 'lost';
  /** Without an answer by then the dispute is lost. Null if the provider doesn't say. */
  respondBy: number | null;
};

export type Charge = {
  /** The provider's id: each charge is recorded once. */
  id: string;
  /** Our reference, on the first payment of a checkout; renewals have none. */
  reference: string | null;
  customerId: string | null;
  providerSubscriptionId: string | null;
  /** Null when it is not one of our plans. */
  plan: Plan | null;
  status: 'paid' | 'pending' | 'failed';
  /** Cents, and how many of them were refunded. */
  amount: number;
  refunded: number;
  currency: string;
  /** What the provider kept of it, in cents; null if it doesn't say. */
  fee: number | null;
  /** Null if there was none, or we won it. */
  dispute: Dispute | null;
  at: number;
  card: Card | null;
  /** Why it failed, as a sentence for the user. */
  failure: string | null;
};

export type ProviderSubscription = {
  id: string;
  customerId: string;
  plan: Plan | null;
  /** `ending` runs until the end of its period and does not renew; `late` has a failed payment. */
  status: 'active' | 'ending' | 'late' | 'ended';
  nextChargeAt: number | null;
  nextAmount: number | null;
  /** The plan from the next payment, if the user has changed it. */
  nextPlan: Plan | null;
  card: Card | null;
};

/** What the provider says about a subscription now. */
export type ProviderSubscriptionState = {
  providerSubscription: ProviderSubscription;
  charges: readonly Charge[];
};

export type ProviderCheckoutState = {
  state: 'open' | 'paid' | 'failed' | 'unknown';
  providerSubscriptionId: string | null;
  customerId: string | null;
  charge: Charge | null;
  /** A small payment that only checked the card and goes back. */
  cardCheck?: Charge;
  /** The same for every customer who uses this card; null if the provider doesn't say. */
  cardFingerprint: string | null;
};

export const unknownCheckout: ProviderCheckoutState = {
  state: 'unknown',
  providerSubscriptionId: null,
  customerId: null,
  charge: null,
  cardFingerprint: null,
};

/** What a subscription charges from a time on: another plan, another price, or the same again. */
export type PlanChange = {
  providerSubscriptionId: string;
  plan: Plan;
  amount: number;
  /** The end of the paid period, when the change takes effect. */
  startsAt: number;
};

/** What a plan at the provider must cost. */
export type PlanPrice = { plan: Plan; amount: number; currency: string };

/** A missed payment, charged to the card on file. The reference makes asking twice harmless. */
export type OwedPayment = {
  providerSubscriptionId: string;
  reference: string;
  plan: Plan;
  amount: number;
};

/** Money that the provider sent to the operator's bank account. */
export type Payout = {
  id: string;
  at: number;
  /** Cents. */
  amount: number;
  /** What the provider kept; null if it doesn't say. */
  fees: number | null;
  currency: string;
};

/** The key makes asking again for the same refund harmless. */
export type RefundRequest = { chargeId: string; amount: number; key: string };

/** A message from the provider. It says where to look; the facts are read from the provider's API. */
export type WebhookEvent = {
  /** The provider's id of the event, or the SHA-256 of its raw body where it has none. */
  eventId: string;
  /** The provider's name for it, stored for debugging. */
  kind: string;
  subjects: readonly WebhookSubject[];
};

export const WebhookSubject = z.object({
  /** Ours, or one that the provider created: then we don't know it. */
  reference: z.string().nullable(),
  providerSubscriptionId: z.string().nullable(),
  customerId: z.string().nullable(),
  chargeId: z.string().nullable(),
  plan: z.enum(['monthly', 'annual']).nullable(),
});
export type WebhookSubject = z.infer<typeof WebhookSubject>;

export const emptySubject: WebhookSubject = {
  reference: null,
  providerSubscriptionId: null,
  customerId: null,
  chargeId: null,
  plan: null,
};

/** The body was not sent by the provider: nothing in it can be trusted. */
export class ForgedWebhook extends Error {
  override name = 'ForgedWebhook';
}

/**
 * `temporary`: the provider failed or didn't answer. `refused`: trying again won't help. `not-found`:
 * the provider doesn't have it. `unauthorized`: our key is wrong, which says nothing about a payment.
 */
export type PaymentsErrorKind = 'temporary' | 'refused' | 'not-found' | 'unauthorized';

export class PaymentsError extends Error {
  override name = 'PaymentsError';
  readonly kind: PaymentsErrorKind;
  constructor(message: string, kind: PaymentsErrorKind, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.kind = kind;
  }
}

const isOfKind =
  (...kinds: PaymentsErrorKind[]) =>
  (error: unknown): boolean =>
    error instanceof PaymentsError && kinds.includes(error.kind);

/** The provider answered, and won't do it. */
export const isRefusal = isOfKind('refused', 'not-found');
export const isNotFound = isOfKind('not-found');
export const isUnauthorized = isOfKind('unauthorized');

export const refusal = (message: string) => new PaymentsError(message, 'refused');
export const notFound = (message: string) => new PaymentsError(message, 'not-found');

export const subscriptionEnded = () => refusal('The subscription has ended. Start a new one.');

export const failure = (message: string, cause?: unknown) =>
  new PaymentsError(message, 'temporary', cause);

/** How long a period lasts. In the sandbox a month may take seconds. */
export type Calendar = {
  /** The end of a period that starts then. */
  addPeriod: (from: number, plan: Plan) => number;
  /** Counted from the first day, so that a period that started on the 31st returns to it. */
  addMonths: (from: number, months: number) => number;
  /** Days shrink with the months: for grace periods, reminders and trials. */
  addDays: (from: number, days: number) => number;
  /** Whether payments with test cards give access: never where real money is taken. */
  countsTestPayments: boolean;
};

/**
 * A payment provider. Every call may be repeated without charging or cancelling twice, ends within a
 * bounded time, and throws `PaymentsError` when the provider fails, refuses or sends invalid data.
 */
export type Payments = {
  name: ProviderName;
  calendar: Calendar;
  /** Cents: a payment of less is refused. */
  minimumAmount: number;
  /** What the id of a plan at the provider looks like; null if it needs none. */
  planIdExample: string | null;
  /** Throws a refusal unless the plan with this id has this price, currency and interval. */
  checkPlanId: (planId: string, price: PlanPrice) => Promise<void>;
  /** Recognises further plans besides those in the settings, newest first. */
  usePlanIds: (ids: Readonly<Record<Plan, readonly string[]>>) => void;
  /** `checkoutId` is the provider's; store it before sending the user to the URL. */
  startCheckout: (request: CheckoutRequest) => Promise<{ url: string; checkoutId: string }>;
  /** The reference is enough, but with the provider's id some need not search for it. */
  getCheckout: (reference: string, checkoutId?: string | null) => Promise<ProviderCheckoutState>;
  /**
   * For a paid checkout without a subscription, from the end of the period it paid for. Null if the
   * card can't be charged again: then the payment must be refunded.
   */
  finishCheckout: (reference: string) => Promise<{ providerSubscriptionId: string | null }>;
  getProviderSubscription: (providerSubscriptionId: string) => Promise<ProviderSubscriptionState>;
  /** Some providers name only the customer in a renewal. */
  listProviderSubscriptions: (customerId: string) => Promise<readonly ProviderSubscriptionState[]>;
  cancelAtPeriodEnd: (providerSubscriptionId: string) => Promise<void>;
  /** Ends it now and drops what is unpaid. */
  endNow: (providerSubscriptionId: string) => Promise<void>;
  /** Lets a cancelled subscription renew again. Some providers create a new subscription. */
  resume: (change: PlanChange) => Promise<{ providerSubscriptionId: string }>;
  /** From the next payment; nothing is charged now. Some providers create a new subscription. */
  changePlan: (change: PlanChange) => Promise<{ providerSubscriptionId: string }>;
  /** Charges a missed payment now. Resolves if the bank declines too: read the subscription again. */
  payOwed: (payment: OwedPayment) => Promise<void>;
  /** A page of the provider for updating the card. */
  cardUpdateUrl: (providerSubscriptionId: string, returnUrl: string) => Promise<string>;
  refund: (refund: RefundRequest) => Promise<void>;
  /** False if it paid for another product on the same account, or doesn't exist. */
  isOurs: (chargeId: string) => Promise<boolean>;
  /** Payouts from `from` until before `to`. */
  listPayouts: (range: { from: number; to: number }) => Promise<readonly Payout[]>;
  /** Throws `ForgedWebhook`; returns null for an event we don't need. */
  parseWebhook: (headers: IncomingHttpHeaders, rawBody: Buffer) => Promise<WebhookEvent | null>;
};

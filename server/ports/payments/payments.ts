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
  /** The bank has charged it back, or holds it until the dispute is decided. */
  isDisputed: boolean;
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
};

export const unknownCheckout: ProviderCheckoutState = {
  state: 'unknown',
  providerSubscriptionId: null,
  customerId: null,
  charge: null,
};

export type PlanChange = {
  providerSubscriptionId: string;
  plan: Plan;
  amount: number;
  /** The end of the paid period, when the new plan starts. */
  startsAt: number;
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

/** `isLasting` when trying again won't help: the provider refused, it did not fail. */
export class PaymentsError extends Error {
  override name = 'PaymentsError';
  readonly isLasting: boolean;
  constructor(message: string, options: { isLasting: boolean; cause?: unknown }) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.isLasting = options.isLasting;
  }
}

export const refusal = (message: string) => new PaymentsError(message, { isLasting: true });

export const isRefusal = (error: unknown): boolean =>
  error instanceof PaymentsError && error.isLasting;

export const subscriptionEnded = () => refusal('The subscription has ended. Start a new one.');

export const failure = (message: string, cause?: unknown) =>
  new PaymentsError(message, { isLasting: false, cause });

/** How long a period lasts. In the sandbox a month may take seconds. */
export type Calendar = {
  /** The end of a period that starts then. */
  addPeriod: (from: number, plan: Plan) => number;
  /** Counted from the first day, so that a period that started on the 31st returns to it. */
  addMonths: (from: number, months: number) => number;
  /** Days shrink with the months: for grace periods, reminders and trials. */
  addDays: (from: number, days: number) => number;
};

/**
 * A payment provider. Every call may be repeated without charging or cancelling twice, ends within a
 * bounded time, and throws `PaymentsError` when the provider fails, refuses or sends invalid data.
 */
export type Payments = {
  name: ProviderName;
  calendar: Calendar;
  /** `checkoutId` is the provider's; store it before sending the user to the URL. */
  startCheckout: (request: CheckoutRequest) => Promise<{ url: string; checkoutId: string }>;
  /** The reference is enough, but with the provider's id some need not search for it. */
  getCheckout: (reference: string, checkoutId?: string | null) => Promise<ProviderCheckoutState>;
  getProviderSubscription: (providerSubscriptionId: string) => Promise<ProviderSubscriptionState>;
  /** Some providers name only the customer in a renewal. */
  listProviderSubscriptions: (customerId: string) => Promise<readonly ProviderSubscriptionState[]>;
  cancelAtPeriodEnd: (providerSubscriptionId: string) => Promise<void>;
  resume: (providerSubscriptionId: string) => Promise<void>;
  /** From the next payment; nothing is charged now. Some providers create a new subscription. */
  changePlan: (change: PlanChange) => Promise<{ providerSubscriptionId: string }>;
  /** A page of the provider for updating the card. */
  cardUpdateUrl: (providerSubscriptionId: string, returnUrl: string) => Promise<string>;
  refund: (refund: RefundRequest) => Promise<void>;
  /** Throws `ForgedWebhook`; returns null for an event we don't need. */
  parseWebhook: (headers: IncomingHttpHeaders, rawBody: Buffer) => Promise<WebhookEvent | null>;
};

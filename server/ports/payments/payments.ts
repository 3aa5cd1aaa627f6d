import type { IncomingHttpHeaders } from 'node:http';
import type { Plan } from '#contract/rules/plans.ts';

export const PROVIDERS = ['sandbox', 'paystack', 'stripe'] as const;
export type ProviderName = (typeof PROVIDERS)[number];

/** What a provider lets us know of a card: never its number. */
export type Card = { brand: string; last4: string; expiryMonth: number; expiryYear: number };

export type CheckoutRequest = {
  /** Ours, unguessable, and the key that makes asking twice start one checkout. */
  reference: string;
  /** What it was answered before, where it was begun before: not every provider can say it twice. */
  checkoutId?: string | null;
  userId: string;
  email: string;
  /** The provider's customer, where this member has been one before. */
  customerId: string | null;
  plan: Plan;
  /** Cents of the first payment: less than the plan's price where a coupon says so. */
  amount: number;
  /** Cents of every payment after it. */
  renewalAmount: number;
  currency: string;
  /** When the first payment is due; now, unless a trial or a free period comes before it. */
  firstChargeAt: number;
  /** Where the provider sends the member afterwards, paid or not. */
  successUrl: string;
  cancelUrl: string;
};

export type Charge = {
  /** The provider's id: what is recorded once however often it is told. */
  id: string;
  /** Our reference, on the first payment of a checkout; renewals carry none. */
  reference: string | null;
  customerId: string | null;
  providerSubscriptionId: string | null;
  /** As the provider knows it; null when it is not one of our plans. */
  plan: Plan | null;
  status: 'paid' | 'pending' | 'failed';
  /** Cents, and what of them went back. */
  amount: number;
  refunded: number;
  currency: string;
  /** The bank has taken the money back, or holds it until a dispute is decided. */
  isDisputed: boolean;
  at: number;
  card: Card | null;
  /** Why it failed, in a sentence for the member. */
  failure: string | null;
};

export type ProviderSubscription = {
  id: string;
  customerId: string;
  plan: Plan | null;
  /** `ending` is paid for to the end of its period and not renewed; `late` has a payment that failed. */
  status: 'active' | 'ending' | 'late' | 'ended';
  nextChargeAt: number | null;
  nextAmount: number | null;
  /** The plan from the next payment on, where the member has changed it. */
  nextPlan: Plan | null;
  card: Card | null;
};

/** Everything the provider knows of one subscription, as of the moment it was asked. */
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

/** What a webhook is about. It says where to look, never what is true: that is asked for. */
export type WebhookEvent = {
  /** The provider's id of the event, or the SHA-256 of its raw body where it has none. */
  eventId: string;
  /** The provider's word for it, kept for whoever reads the ledger. */
  kind: string;
  subjects: readonly WebhookSubject[];
};
export type WebhookSubject = {
  /** Ours, or one that a provider made up itself: then nobody here knows it. */
  reference: string | null;
  providerSubscriptionId: string | null;
  customerId: string | null;
  chargeId: string | null;
  plan: Plan | null;
};

/** The raw body is not from the provider: nothing in it may be believed. */
export class ForgedWebhook extends Error {
  override name = 'ForgedWebhook';
}

/** `isLasting` when asking again will not help: the provider has refused, not failed. */
export class PaymentsError extends Error {
  override name = 'PaymentsError';
  readonly isLasting: boolean;
  constructor(message: string, options: { isLasting: boolean; cause?: unknown }) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.isLasting = options.isLasting;
  }
}

/** How long a period lasts. A sandbox may let a month pass in seconds; everybody else has real ones. */
export type Calendar = {
  /** The end of a period that begins then. */
  addPeriod: (from: number, plan: Plan) => number;
  /** Counted from one day, so that a period that began on the 31st comes back to it. */
  addMonths: (from: number, months: number) => number;
  /** Days that shrink with the months: for grace, reminders and trials. */
  addDays: (from: number, days: number) => number;
};

/**
 * Taking money, in our words. Every call may be repeated without charging or cancelling twice, ends
 * within a bounded time, and throws `PaymentsError` when the provider fails, refuses or talks nonsense.
 */
export type Payments = {
  name: ProviderName;
  calendar: Calendar;
  /** `checkoutId` is the provider's; keep it before anybody is sent to the address. */
  startCheckout: (request: CheckoutRequest) => Promise<{ url: string; checkoutId: string }>;
  /** Our reference is enough; with the provider's id one that cannot look it up need not search. */
  getCheckout: (reference: string, checkoutId?: string | null) => Promise<ProviderCheckoutState>;
  getProviderSubscription: (providerSubscriptionId: string) => Promise<ProviderSubscriptionState>;
  /** A provider whose renewals name only the customer is asked for all subscriptions of one. */
  listProviderSubscriptions: (customerId: string) => Promise<readonly ProviderSubscriptionState[]>;
  cancelAtPeriodEnd: (providerSubscriptionId: string) => Promise<void>;
  resume: (providerSubscriptionId: string) => Promise<void>;
  /** From the next payment on; nothing is charged now. Some providers answer with a new subscription. */
  changePlan: (change: {
    providerSubscriptionId: string;
    plan: Plan;
    amount: number;
    /** The end of what is paid for: when the new plan begins. */
    startsAt: number;
  }) => Promise<{ providerSubscriptionId: string }>;
  /** A page of the provider's where the card is replaced. */
  cardUpdateUrl: (providerSubscriptionId: string, returnUrl: string) => Promise<string>;
  refund: (refund: { chargeId: string; amount: number; key: string }) => Promise<void>;
  /** Throws `ForgedWebhook`; answers null for an event that is nothing to us. */
  parseWebhook: (headers: IncomingHttpHeaders, rawBody: Buffer) => Promise<WebhookEvent | null>;
};

import type { IncomingHttpHeaders } from 'node:http';

type ProviderName = 'sandbox' | 'paystack' | 'stripe';

/** What a provider tells us about a card: never its number. */
export type Card = { brand: string; last4: string; expiryMonth: number; expiryYear: number };

/** A card that a member lets us charge again. */
export type SavedCard = {
  card: Card | null;
  /** What charges it: a secret. */
  token: string;
  /** The address that the provider knows the customer by: some ask for it with every charge. */
  email: string;
  /** The provider's customer, if a charge must name it. */
  customerId: string | null;
  /** The same for everyone who uses this card; null if the provider doesn't say. */
  fingerprint: string | null;
};

export type PaymentRequest = {
  /** Ours and unguessable; also the idempotency key, so that asking twice starts one payment. */
  reference: string;
  /** From an earlier call for the same reference: not every provider can return its page again. */
  providerId: string | null;
  email: string;
  /** Cents; 0 only saves a card, where the provider can do that (`cardCheckAmount`). */
  amount: number;
  currency: string;
  /** What is paid for, in a few words that the payment page or the bank may show. */
  description: string;
  /** Only with a card, which is kept for later charges; otherwise any way the account offers. */
  savesCard: boolean;
  /** Where the provider sends the user afterwards, paid or not. */
  successUrl: string;
  cancelUrl: string;
};

/** A charge to a saved card, without the member. */
export type ChargeRequest = {
  reference: string;
  providerId: string | null;
  amount: number;
  currency: string;
  description: string;
  savedCard: Pick<SavedCard, 'token' | 'email' | 'customerId'>;
  /** Stores the provider's id before the money moves, where the provider has one by then. */
  storeProviderId: (providerId: string) => Promise<void>;
};

/** A payment that the bank has taken back, or holds until it decides. */
export type Dispute = {
  state: 'open' | 'lost';
  /** Without an answer by then the dispute is lost. Null if the provider doesn't say. */
  respondBy: number | null;
};

export type PaymentFailure = {
  /** As a sentence for the user. */
  message: string;
  /** Lost, stolen, closed: trying this card again is pointless, and banks count it against us. */
  isHard: boolean;
};

/**
 * `open`: nothing has happened yet. `pending`: the bank has it and will decide, in minutes or hours.
 * `needs-member`: the bank wants the member to confirm, so it can't be charged without them.
 * `not-found`: the provider has never seen the reference.
 */
export type PaymentStatus = 'open' | 'pending' | 'paid' | 'failed' | 'needs-member' | 'not-found';

/** What the provider says about a payment now. */
export type PaymentState = {
  reference: string;
  status: PaymentStatus;
  /** The provider's id of the money that moved: each is recorded once. Null before there is any. */
  chargeId: string | null;
  /** Cents, and how many of them were refunded. */
  amount: number;
  refunded: number;
  currency: string;
  /** What the provider kept of it, in cents; null if it doesn't say. */
  fee: number | null;
  /** Null if there was none, or we won it. */
  dispute: Dispute | null;
  at: number;
  /** How it was paid, in the provider's word: `card`, `eft`, `capitec_pay`, `qr`. */
  channel: string | null;
  card: Card | null;
  /** Only if it was paid, is reusable, and the payment asked to save it. */
  savedCard: SavedCard | null;
  failure: PaymentFailure | null;
};

/** A payment of which the provider knows nothing. */
export const notFoundPayment = (reference: string): PaymentState => ({
  reference,
  status: 'not-found',
  chargeId: null,
  amount: 0,
  refunded: 0,
  currency: '',
  fee: null,
  dispute: null,
  at: 0,
  channel: null,
  card: null,
  savedCard: null,
  failure: null,
});

/** A charge that the provider won't make. */
export const failedPayment = (
  { reference, amount, currency }: Pick<PaymentState, 'reference' | 'amount' | 'currency'>,
  reason: PaymentFailure,
): PaymentState => ({
  ...notFoundPayment(reference),
  status: 'failed',
  amount,
  currency,
  failure: reason,
});

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

/**
 * The key makes asking again for the same refund harmless, whatever became of it: after one that the
 * bank sent back, another key makes another refund.
 */
export type RefundRequest = { chargeId: string; amount: number; key: string };

/** Every reference of ours begins with it; what doesn't belongs to another product on the account. */
export const REFERENCE_PREFIX = 'wk-';
export const isOurReference = (reference: string): boolean =>
  reference.startsWith(REFERENCE_PREFIX);

/** The body was not sent by the provider: nothing in it can be trusted. */
export class ForgedWebhook extends Error {
  override name = 'ForgedWebhook';
}

/**
 * `temporary`: the provider failed or didn't answer, so the outcome is unknown. `refused`: it won't do
 * it, and nothing was done. `not-found`: it doesn't have it. `unauthorized`: our key is wrong, which
 * says nothing about a payment.
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
  (error: unknown): error is PaymentsError =>
    error instanceof PaymentsError && kinds.includes(error.kind);

/** The provider answered, and won't do it. */
export const isRefusal = isOfKind('refused', 'not-found');
export const isNotFound = isOfKind('not-found');
export const isUnauthorized = isOfKind('unauthorized');

export const refusal = (message: string) => new PaymentsError(message, 'refused');
export const notFound = (message: string) => new PaymentsError(message, 'not-found');
export const failure = (message: string, cause?: unknown) =>
  new PaymentsError(message, 'temporary', cause);

/** What a provider needs besides its keys. */
export type ProviderParts = {
  clock: { now: () => number };
  /** The site's; UTC without it. */
  timeZone?: () => string;
  timeoutMs?: number;
};

/** How long a period lasts. In the sandbox a month may take seconds. */
export type Calendar = {
  /** Counted from the first day, so that a period that started on the 31st returns to it. */
  addMonths: (from: number, months: number) => number;
  /** Days shrink with the months: for grace periods, reminders and trials. */
  addDays: (from: number, days: number) => number;
  /** Whether payments with test cards give access: never where real money is taken. */
  countsTestPayments: boolean;
};

/**
 * A payment provider. It takes one payment at a time, each under a reference that we wrote down first.
 * Every call may be repeated without moving money twice, ends within a bounded time, and throws
 * `PaymentsError` when the provider fails, refuses or sends invalid data.
 */
export type Payments = {
  name: ProviderName;
  calendar: Calendar;
  /** Cents: a payment of less is refused. */
  minimumAmount: number;
  /** Cents of the payment that only checks a card, refunded afterwards; 0 where none is needed. */
  cardCheckAmount: number;
  /** `providerId` is stored before the user is sent to the URL. */
  startPayment: (request: PaymentRequest) => Promise<{ url: string; providerId: string }>;
  /** The reference is enough, but with the provider's id some need not search for it. */
  readPayment: (reference: string, providerId: string | null) => Promise<PaymentState>;
  /**
   * Charges a saved card. A reference that was charged before returns what became of it. Throws a
   * `temporary` error when the outcome is unknown: then the payment is read, or the same asked again.
   */
  charge: (request: ChargeRequest) => Promise<PaymentState>;
  refund: (refund: RefundRequest) => Promise<void>;
  /** What time it is there, for comparing clocks. Not for a provider within this site. */
  readTime?: () => Promise<number>;
  /** References of ours with a payment, refund or dispute since then, also those unknown here. */
  listChanges: (since: number) => Promise<readonly string[]>;
  /** Payouts from `from` until before `to`. */
  listPayouts: (range: { from: number; to: number }) => Promise<readonly Payout[]>;
  /** So that nobody can charge it again. Resolves if the provider no longer has it. */
  forgetCard: (savedCard: Pick<SavedCard, 'token' | 'email' | 'customerId'>) => Promise<void>;
  /**
   * The reference of the payment that an event is about: it says where to look, and the facts are read.
   * Throws `ForgedWebhook`; returns null for an event we don't need.
   */
  parseWebhook: (headers: IncomingHttpHeaders, rawBody: Buffer) => Promise<string | null>;
};

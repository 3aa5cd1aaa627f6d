import { z } from 'zod';
import { DAY } from '#contract/rules/time.ts';
import type {
  Card,
  Dispute as PaymentDispute,
  PaymentFailure,
  PaymentState,
  PaymentStatus,
  SavedCard,
} from '../payments.ts';
import { describeDecline, NOT_COMPLETED, PageUrl, WANTS_MEMBER } from '../provider-answers.ts';

/** The fields we use of Paystack's responses; all others may change. */

const time = z.iso.datetime({ offset: true }).transform((text) => Date.parse(text));
const cents = z.int().min(0);
const text = z.string().min(1);

const Customer = z.object({ email: z.string().nullish() }).nullish();

export const Authorization = z
  .object({
    authorization_code: z.string().nullish(),
    last4: z.string().nullish(),
    exp_month: z.coerce.number().nullish(),
    exp_year: z.coerce.number().nullish(),
    brand: z.string().nullish(),
    card_type: z.string().nullish(),
    /** The same for every customer who pays with this card. */
    signature: z.string().nullish(),
    /** A number in some responses. */
    reusable: z.union([z.boolean(), z.number()]).nullish(),
  })
  .nullish();
export type Authorization = z.output<typeof Authorization>;

/** How a payment came about, which we send with it: a page, a page that keeps the card, or a charge. */
const Use = z.enum(['once', 'save-card', 'charge']);
export type Use = z.output<typeof Use>;

/** Metadata comes back as an object or as JSON. */
function parseUse(value: unknown): Use | null {
  let parsed = value;
  if (typeof value === 'string')
    try {
      parsed = JSON.parse(value);
    } catch {
      return null;
    }
  return z.object({ use: Use }).safeParse(parsed).data?.use ?? null;
}

/** In a list, a payment has everything that a fetched one has. */
export const Transaction = z.object({
  id: z.int(),
  status: text,
  reference: text,
  amount: cents,
  currency: z.string().length(3),
  channel: z.string().nullish(),
  gateway_response: z.string().nullish(),
  paid_at: time.nullish(),
  created_at: time,
  metadata: z.unknown().transform(parseUse),
  authorization: Authorization,
  customer: Customer,
  fees: z.number().min(0).nullish(),
});
export type Transaction = z.output<typeof Transaction>;

export const InitializedTransaction = z.object({ authorization_url: PageUrl, reference: text });

/** `paused` means that the bank wants the customer to confirm: then there is little else. */
export const ChargedAuthorization = z.object({
  reference: text,
  paused: z.boolean().default(false),
});

export const Refund = z.object({
  /** The transaction is an object in a created refund and an id in a listed one. */
  transaction: z
    .union([z.int(), z.object({ id: z.int() })])
    .transform((transaction) => (typeof transaction === 'number' ? transaction : transaction.id)),
  transaction_reference: z.string().nullish(),
  /** The dispute that this refund settles. */
  dispute: z.int().nullish().catch(null),
  amount: z.coerce.number().pipe(cents),
  status: text,
  merchant_note: z.string().nullish(),
  updated_at: time.nullish(),
});
export type Refund = z.output<typeof Refund>;

export const Dispute = z.object({
  id: z.int(),
  status: text,
  resolution: z.string().nullish(),
  transaction: z.object({ id: z.int(), reference: text }),
  dueAt: time.nullish(),
  createdAt: time.nullish(),
  updatedAt: time.nullish(),
});
export type Dispute = z.output<typeof Dispute>;

/** Older payouts have neither a currency nor fees. */
export const Settlement = z.object({
  id: z.int(),
  status: z.string(),
  currency: z.string().nullish(),
  total_amount: z.int(),
  effective_amount: z.int().nullish(),
  total_fees: z.int().nullish(),
  settlement_date: time,
});

/** A response without content. */
export const Done = z.looseObject({}).nullish();

export const ChargeEvent = z.object({ reference: text });
export const DisputeEvent = z.object({ transaction: z.object({ reference: text }) });
export const RefundEvent = z.object({ transaction_reference: text });

/** In South Africa a dispute without an answer is lost after this time. */
const ANSWER_MS = 2 * DAY;

/** A page stays payable for ever unless the account says otherwise; after this time we give up. */
const PAGE_MS = DAY;

/**
 * What banks say about cards that will never pay again, in the words that Paystack passes on. Anything
 * else may pass another day.
 */
const HARD =
  /\b(lost|stolen|pick[ -]?up|expired|restricted|closed|invalid (card|account)|no such (card|account)|not permitted|never approve)\b/i;

/** The customer has to do something for a charge to go on. */
const WAITS_FOR_MEMBER = /^(abandoned|ongoing|open_url|pay_offline|send_\w+)$/;

function toStatus({ status, metadata, created_at }: Transaction, now: number): PaymentStatus {
  // A refund makes it “reversed”, or pending that.
  if (status === 'success' || status.startsWith('revers')) return 'paid';
  if (metadata === 'charge') {
    if (WAITS_FOR_MEMBER.test(status)) return 'needs-member';
    return status === 'failed' ? 'failed' : 'pending';
  }
  // On an open page the customer can try again, in another way.
  const isOpen = now < created_at + PAGE_MS;
  if (status === 'failed' || status === 'abandoned') return isOpen ? 'open' : 'failed';
  return status === 'ongoing' && !isOpen ? 'failed' : 'pending';
}

function findFailure(transaction: Transaction, status: PaymentStatus): PaymentFailure | null {
  if (status === 'needs-member') return WANTS_MEMBER;
  const { gateway_response: reason } = transaction;
  if (transaction.status === 'failed') return describeDecline(reason, HARD.test(reason ?? ''));
  return status === 'failed' ? NOT_COMPLETED : null;
}

function presentCard(authorization: Authorization): Card | null {
  const { last4, exp_month: expiryMonth, exp_year: expiryYear } = authorization ?? {};
  if (!last4 || !expiryMonth || !expiryYear) return null;
  const brand = (authorization?.brand ?? authorization?.card_type ?? 'card').trim();
  return { brand, last4, expiryMonth, expiryYear };
}

/** Null for a card that pays only once. */
export function findSavedCard({
  authorization,
  customer,
}: Pick<Transaction, 'authorization' | 'customer'>): SavedCard | null {
  const token = authorization?.authorization_code;
  if (!token || !authorization.reusable || !customer?.email) return null;
  return {
    card: presentCard(authorization),
    token,
    email: customer.email,
    customerId: null,
    fingerprint: authorization.signature ?? null,
  };
}

/** Null when the merchant won: only then is a resolved dispute declined. */
function presentDispute({ status, resolution, dueAt, createdAt }: Dispute): PaymentDispute | null {
  if (status === 'archived' || (status === 'resolved' && resolution === 'declined')) return null;
  if (status === 'resolved') return { state: 'lost', respondBy: null };
  return { state: 'open', respondBy: dueAt ?? (createdAt ? createdAt + ANSWER_MS : null) };
}

/** Sent back by the bank, or held until the operator gives an account that the money can go to. */
const NOT_REFUNDED = new Set(['failed', 'needs-attention']);

type Reversals = { refunds: readonly Refund[]; disputes: readonly Dispute[] };

/** A refund that settles a lost dispute is part of it. */
function sumReversals({ amount, status }: Transaction, { refunds, disputes }: Reversals) {
  const presented = disputes.map((dispute) => ({ id: dispute.id, shown: presentDispute(dispute) }));
  const lost = presented.filter(({ shown }) => shown?.state === 'lost');
  const isOfLost = ({ dispute }: Refund) => lost.some(({ id }) => id === dispute);
  const sum = refunds
    .filter((refund) => !NOT_REFUNDED.has(refund.status) && !isOfLost(refund))
    .reduce((total, refund) => total + refund.amount, 0);
  const isReversed = status === 'reversed' && refunds.length === 0 && lost.length === 0;
  return {
    refunded: isReversed ? amount : Math.min(amount, sum),
    dispute: (lost[0] ?? presented.find(({ shown }) => shown !== null))?.shown ?? null,
  };
}

export function presentPayment(
  transaction: Transaction,
  reversals: Reversals,
  now: number,
): PaymentState {
  const { reference, amount, currency, fees, channel, metadata } = transaction;
  const status = toStatus(transaction, now);
  const isPaid = status === 'paid';
  const isCard = channel === 'card';
  return {
    reference,
    status,
    chargeId: isPaid ? reference : null,
    amount,
    ...sumReversals(transaction, reversals),
    currency,
    fee: fees === null || fees === undefined ? null : Math.round(fees),
    at: transaction.paid_at ?? transaction.created_at,
    channel: channel ?? null,
    card: isCard ? presentCard(transaction.authorization) : null,
    savedCard: isPaid && isCard && metadata === 'save-card' ? findSavedCard(transaction) : null,
    failure: findFailure(transaction, status),
  };
}

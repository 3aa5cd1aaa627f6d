import { DAY } from '#contract/rules/time.ts';
import type {
  Card,
  Dispute as PaymentDispute,
  PaymentFailure,
  PaymentState,
  PaymentStatus,
  SavedCard,
} from '../payments.ts';
import { describeDecline, NOT_COMPLETED, WANTS_MEMBER } from '../provider-answers.ts';
import type { Authorization, Dispute, Refund, Transaction } from './shapes.ts';

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

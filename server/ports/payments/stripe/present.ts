import {
  notFoundPayment,
  type Card,
  type Dispute as PaymentDispute,
  type PaymentFailure,
  type PaymentState,
  type PaymentStatus,
  type SavedCard,
} from '../payments.ts';
import { describeDecline, NOT_COMPLETED, WANTS_MEMBER } from '../provider-answers.ts';
import type {
  CardDetails,
  CheckoutSession,
  Dispute,
  PaymentIntent,
  Refund,
  SetupIntent,
} from './shapes.ts';

export function presentCard(card: CardDetails | null | undefined): Card | null {
  const { last4, exp_month: expiryMonth, exp_year: expiryYear } = card ?? {};
  if (!last4 || !expiryMonth || !expiryYear) return null;
  return { brand: card?.brand ?? 'card', last4, expiryMonth, expiryYear };
}

/** Codes that Stripe itself doesn't try again, and those of cards that have ended. */
const HARD = new Set([
  'expired_card',
  'highest_risk_level',
  'incorrect_number',
  'invalid_account',
  'lost_card',
  'pickup_card',
  'restricted_card',
  'revocation_of_all_authorizations',
  'revocation_of_authorization',
  'stolen_card',
  'stop_payment_order',
  'transaction_not_allowed',
]);

type PaymentError = NonNullable<PaymentIntent['last_payment_error']>;

const isHard = ({ code, decline_code: decline, advice_code: advice }: PaymentError): boolean =>
  HARD.has(decline ?? '') || HARD.has(code ?? '') || advice === 'do_not_try_again';

const wantsMember = ({ code, decline_code: decline }: PaymentError): boolean =>
  [code, decline].includes('authentication_required');

/** A charge that was not confirmed yet has moved nothing, so it can be asked for as if it was new. */
function toChargeStatus({ status, last_payment_error: error }: PaymentIntent): PaymentStatus {
  if (status === 'requires_action') return 'needs-member';
  if (status === 'canceled') return 'failed';
  if (status === 'requires_confirmation') return 'not-found';
  if (status !== 'requires_payment_method') return 'pending';
  if (!error) return 'not-found';
  return wantsMember(error) ? 'needs-member' : 'failed';
}

export const isCharge = ({ metadata }: PaymentIntent): boolean => metadata?.use === 'charge';

function toStatus(intent: PaymentIntent): PaymentStatus {
  const { status } = intent;
  if (status === 'succeeded') return 'paid';
  if (isCharge(intent)) return toChargeStatus(intent);
  // Of a page that is closed, or was paid from a bank account.
  return status === 'canceled' || status === 'requires_payment_method' ? 'failed' : 'pending';
}

function findFailure(
  { last_payment_error: error }: PaymentIntent,
  status: PaymentStatus,
): PaymentFailure | null {
  if (status === 'needs-member') return WANTS_MEMBER;
  if (status !== 'failed') return null;
  return error ? describeDecline(error.message, isHard(error)) : NOT_COMPLETED;
}

function findSavedCard({
  customer,
  payment_method: token,
  latest_charge: charge,
}: PaymentIntent): SavedCard | null {
  const details = charge?.payment_method_details;
  if (!token || !customer || details?.type !== 'card') return null;
  return {
    card: presentCard(details.card),
    token,
    email: charge?.billing_details?.email ?? '',
    customerId: customer,
    fingerprint: details.card?.fingerprint ?? null,
  };
}

/** Disputes in which the money is gone or held; an inquiry does neither. */
const DISPUTED = new Set([
  'needs_response',
  'under_review',
  'lost',
  'appeal_needs_response',
  'appeal_under_review',
]);

/** The bank waits for our answer. */
const UNANSWERED = new Set(['needs_response', 'appeal_needs_response']);

function presentDispute(disputes: readonly Dispute[]): PaymentDispute | null {
  const found = disputes.find(({ status }) => DISPUTED.has(status));
  if (!found) return null;
  const respondBy = UNANSWERED.has(found.status) ? found.evidence_details.due_by : null;
  return { state: found.status === 'lost' ? 'lost' : 'open', respondBy };
}

type Reversals = { refunds: readonly Refund[]; disputes: readonly Dispute[] };

const NOT_REFUNDED = new Set(['failed', 'canceled']);

export function presentIntent(
  reference: string,
  intent: PaymentIntent,
  { refunds, disputes }: Reversals,
): PaymentState {
  const status = toStatus(intent);
  if (status === 'not-found') return notFoundPayment(reference);
  const { amount, currency, latest_charge: charge, metadata } = intent;
  const isPaid = status === 'paid';
  const balance = charge?.balance_transaction;
  const details = charge?.payment_method_details;
  return {
    reference,
    status,
    chargeId: isPaid ? (charge?.id ?? null) : null,
    amount,
    refunded: refunds
      .filter((refund) => !NOT_REFUNDED.has(refund.status ?? ''))
      .reduce((sum, refund) => sum + refund.amount, 0),
    currency: currency.toUpperCase(),
    // Unknown if the account is kept in another currency.
    fee: isPaid && balance?.currency === currency ? balance.fee : null,
    dispute: presentDispute(disputes),
    at: charge?.created ?? intent.created,
    channel: details?.type ?? null,
    card: presentCard(details?.card),
    savedCard: isPaid && metadata?.use === 'save-card' ? findSavedCard(intent) : null,
    failure: findFailure(intent, status),
  };
}

/** A page that was not paid. */
export const presentUnpaid = (reference: string, session: CheckoutSession): PaymentState => ({
  ...notFoundPayment(reference),
  status: session.status === 'open' ? 'open' : 'failed',
  amount: session.amount_total ?? 0,
  currency: session.currency?.toUpperCase() ?? '',
  at: session.created,
  failure: session.status === 'open' ? null : NOT_COMPLETED,
});

/** A page that only saved a card. Its country may not allow that, and then there is none. */
export function presentSetup(
  reference: string,
  session: CheckoutSession,
  { customer, payment_method: method }: SetupIntent,
): PaymentState {
  const card = presentCard(method?.card);
  const savedCard = method && {
    card,
    token: method.id,
    email: method.billing_details?.email ?? session.customer_details?.email ?? '',
    customerId: customer ?? session.customer,
    fingerprint: method.card?.fingerprint ?? null,
  };
  const status = savedCard ? 'paid' : 'pending';
  const unpaid = presentUnpaid(reference, session);
  return { ...unpaid, status, channel: 'card', card, savedCard: savedCard ?? null, failure: null };
}

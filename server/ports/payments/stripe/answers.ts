import { z } from 'zod';
import {
  notFoundPayment,
  type Card,
  type Dispute as PaymentDispute,
  type PaymentFailure,
  type PaymentState,
  type PaymentStatus,
  type SavedCard,
} from '../payments.ts';
import { describeDecline, NOT_COMPLETED, PageUrl, WANTS_MEMBER } from '../provider-answers.ts';

/** The fields we use of Stripe's responses. The client declares their types; this validates them. */

const seconds = z.int().transform((time) => time * 1000);
const cents = z.int().min(0);
const text = z.string().min(1);

/** A related object is its id, or the object itself if it was expanded. */
const idOf = z
  .union([text, z.object({ id: text })])
  .transform((value) => (typeof value === 'string' ? value : value.id));

export const CardDetails = z.object({
  brand: z.string().nullish(),
  last4: z.string().nullish(),
  exp_month: z.int().nullish(),
  exp_year: z.int().nullish(),
  fingerprint: z.string().nullish(),
});
export type CardDetails = z.output<typeof CardDetails>;

const Address = z.object({ email: z.string().nullish() }).nullish();

/** Ours has the reference, and how it came about: a page, a page that keeps the card, or a charge. */
const Metadata = z.record(z.string(), z.string()).nullish();

/** Null if the related object was not expanded. */
const expanded = <T extends z.ZodType>(schema: T) =>
  z.union([z.string().transform(() => null), schema]).nullish();

export const Charge = z.object({
  id: text,
  amount_refunded: cents,
  currency: text,
  created: seconds,
  disputed: z.boolean(),
  billing_details: Address,
  payment_method_details: z.object({ type: text, card: CardDetails.nullish() }).nullable(),
  balance_transaction: expanded(z.object({ fee: cents, currency: text })),
});
export type Charge = z.output<typeof Charge>;

export const PaymentIntent = z.object({
  id: text,
  status: text,
  amount: cents,
  currency: text,
  created: seconds,
  metadata: Metadata,
  customer: idOf.nullish(),
  payment_method: idOf.nullish(),
  latest_charge: expanded(Charge),
  last_payment_error: z
    .object({
      code: z.string().nullish(),
      decline_code: z.string().nullish(),
      advice_code: z.string().nullish(),
      message: z.string().nullish(),
    })
    .nullish(),
});
export type PaymentIntent = z.output<typeof PaymentIntent>;

/** A card that was saved without a payment. */
export const SetupIntent = z.object({
  id: text,
  customer: idOf.nullish(),
  payment_method: expanded(
    z.object({ id: text, card: CardDetails.nullish(), billing_details: Address }),
  ),
});
export type SetupIntent = z.output<typeof SetupIntent>;

export const CheckoutSession = z.object({
  id: text,
  client_reference_id: z.string().nullable(),
  mode: text,
  status: z.string().nullable(),
  url: PageUrl.nullable(),
  created: seconds,
  amount_total: cents.nullable(),
  currency: z.string().nullable(),
  customer: idOf.nullable(),
  customer_details: Address,
  payment_intent: idOf.nullable(),
  setup_intent: idOf.nullable(),
});
export type CheckoutSession = z.output<typeof CheckoutSession>;

export const PaymentMethod = z.object({ id: text, customer: idOf.nullish() });

export const Dispute = z.object({
  id: text,
  status: text,
  payment_intent: idOf.nullish(),
  evidence_details: z.object({ due_by: seconds.nullable() }),
});
export type Dispute = z.output<typeof Dispute>;

export const Refund = z.object({
  id: text,
  amount: cents,
  metadata: Metadata,
  status: z.string().nullable(),
  payment_intent: idOf.nullish(),
});
export type Refund = z.output<typeof Refund>;

/** A negative one took money from the operator's bank account. */
export const Payout = z.object({
  id: text,
  amount: z.int(),
  arrival_date: seconds,
  currency: text,
  status: text,
});

export const BalanceTransaction = z.object({ id: text, fee: z.int() });

/** A page of a list. */
export const Page = <T extends z.ZodType>(item: T) =>
  z.object({ data: z.array(item), has_more: z.boolean() });

/** What an event is about; only what names the payment is used. */
const EventObject = z.object({
  object: z.string().catch(''),
  client_reference_id: z.string().nullish().catch(null),
  metadata: Metadata.catch(null),
  payment_intent: idOf.nullish().catch(null),
});
export type EventObject = z.output<typeof EventObject>;

export const StripeEvent = z.object({
  id: text,
  type: z.string(),
  data: z.object({ object: EventObject }),
});
export type StripeEvent = z.output<typeof StripeEvent>;

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

import type { PlanIds } from '../../../payments-settings.ts';
import { DAY } from '#contract/rules/time.ts';
import type { ProviderSubscription, Card, Charge, Dispute as ChargeDispute } from '../payments.ts';
import { toPlan } from '../plan-ids.ts';
import type { Authorization, Dispute, Refund, Subscription, Transaction } from './shapes.ts';

/** Refunded amounts and disputes, by transaction id. */
export type Reversals = { refunded: Map<number, number>; disputes: Map<number, ChargeDispute> };

/** In South Africa a dispute without an answer is lost after this time. */
const ANSWER_MS = 2 * DAY;

export function presentCard(authorization: Authorization): Card | null {
  const { last4, exp_month: expiryMonth, exp_year: expiryYear } = authorization ?? {};
  if (!last4 || !expiryMonth || !expiryYear) return null;
  const brand = (authorization?.brand ?? authorization?.card_type ?? 'card').trim();
  return { brand, last4, expiryMonth, expiryYear };
}

const STATUSES: Record<string, Charge['status']> = {
  success: 'paid',
  reversed: 'paid',
  failed: 'failed',
  abandoned: 'failed',
};

/** Paystack can't charge some cards again. */
export const isReusable = (authorization: Authorization): boolean =>
  Boolean(authorization?.authorization_code) && Boolean(authorization?.reusable ?? true);

/** A checkout's payment has our reference. A renewal has none, whether Paystack or we charged it. */
export function presentCharge(
  plans: PlanIds,
  transaction: Transaction,
  { refunded, disputes }: Reversals,
): Charge {
  const { id, reference, amount, metadata, status } = transaction;
  const isFailed = STATUSES[status] === 'failed';
  const { fees } = transaction;
  return {
    id: reference,
    reference: metadata && metadata.purpose !== 'owed' ? reference : null,
    customerId: transaction.customer.customer_code,
    providerSubscriptionId: null,
    plan: toPlan(plans, transaction.plan) ?? metadata?.plan ?? null,
    status: STATUSES[status] ?? 'pending',
    amount,
    refunded: status === 'reversed' ? amount : Math.min(amount, refunded.get(id) ?? 0),
    currency: transaction.currency,
    fee: fees === null || fees === undefined ? null : Math.round(fees),
    dispute: disputes.get(id) ?? null,
    at: transaction.paid_at ?? transaction.created_at,
    card: presentCard(transaction.authorization),
    failure: isFailed ? describeFailure(transaction.gateway_response) : null,
  };
}

const describeFailure = (reason: string | null | undefined): string =>
  reason
    ? `Your bank declined the payment: ${reason.slice(0, 120).replace(/\.$/, '')}.`
    : 'The payment was not completed.';

const SUBSCRIPTION_STATUSES: Record<string, ProviderSubscription['status']> = {
  active: 'active',
  attention: 'late',
  'non-renewing': 'ending',
};

/** Any other status (completed, cancelled) means that it charges no more. */
export const toSubscriptionStatus = ({ status }: Subscription): ProviderSubscription['status'] =>
  SUBSCRIPTION_STATUSES[status] ?? 'ended';

export function toProviderSubscription(
  plans: PlanIds,
  subscription: Subscription,
): ProviderSubscription {
  const status = toSubscriptionStatus(subscription);
  const isRenewed = status === 'active' || status === 'late';
  return {
    id: subscription.subscription_code,
    customerId: subscription.customer.customer_code,
    plan: toPlan(plans, subscription.plan),
    status,
    nextChargeAt: isRenewed ? (subscription.next_payment_date ?? null) : null,
    nextAmount: isRenewed ? subscription.amount : null,
    nextPlan: null,
    card: presentCard(subscription.authorization),
  };
}

/** Null when the merchant won: only then is a resolved dispute declined. */
function presentDispute({ status, resolution, dueAt, createdAt }: Dispute): ChargeDispute | null {
  if (status === 'archived' || (status === 'resolved' && resolution === 'declined')) return null;
  if (status === 'resolved') return { state: 'lost', respondBy: null };
  return { state: 'open', respondBy: dueAt ?? (createdAt ? createdAt + ANSWER_MS : null) };
}

/** A pending refund counts, a failed one doesn't. One that settles a lost dispute is part of it. */
export function sumReversals(
  refunds: readonly Refund[],
  allDisputes: readonly Dispute[],
): Reversals {
  const disputes = new Map<number, ChargeDispute>();
  const lost = new Set<number>();
  for (const dispute of allDisputes) {
    const { id } = dispute.transaction;
    const presented = presentDispute(dispute);
    if (!presented) continue;
    if (presented.state === 'lost') lost.add(dispute.id);
    if (disputes.get(id)?.state !== 'lost') disputes.set(id, presented);
  }
  const refunded = new Map<number, number>();
  for (const { transaction, amount, status, dispute } of refunds) {
    const isCounted = status !== 'failed' && !(typeof dispute === 'number' && lost.has(dispute));
    if (isCounted) refunded.set(transaction, (refunded.get(transaction) ?? 0) + amount);
  }
  return { refunded, disputes };
}

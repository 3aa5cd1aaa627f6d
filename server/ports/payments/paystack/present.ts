import type { PlanIds } from '../../../payments-settings.ts';
import type { ProviderSubscription, Card, Charge } from '../payments.ts';
import { toPlan } from '../plan-ids.ts';
import type { Authorization, Dispute, Refund, Subscription, Transaction } from './shapes.ts';

/** Refunded amounts and disputes, by transaction id. */
export type Reversals = { refunded: Map<number, number>; disputed: Set<number> };

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

/** A payment that we started has our reference; one that Paystack started has its own. */
export function presentCharge(
  plans: PlanIds,
  transaction: Transaction,
  { refunded, disputed }: Reversals,
): Charge {
  const { id, reference, amount, metadata, status } = transaction;
  const isFailed = STATUSES[status] === 'failed';
  return {
    id: reference,
    reference: metadata ? reference : null,
    customerId: transaction.customer.customer_code,
    providerSubscriptionId: null,
    plan: toPlan(plans, transaction.plan) ?? metadata?.plan ?? null,
    status: STATUSES[status] ?? 'pending',
    amount,
    refunded: status === 'reversed' ? amount : Math.min(amount, refunded.get(id) ?? 0),
    currency: transaction.currency,
    fee: null,
    dispute: disputed.has(id) ? { state: 'open', respondBy: null } : null,
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

/** A pending refund counts; a failed one doesn't. */
export function sumReversals(refunds: readonly Refund[], disputes: readonly Dispute[]): Reversals {
  const refunded = new Map<number, number>();
  for (const { transaction, amount, status } of refunds)
    if (status !== 'failed') refunded.set(transaction, (refunded.get(transaction) ?? 0) + amount);
  const lost = disputes.filter(({ status, resolution }) =>
    status === 'resolved' ? resolution !== 'declined' : status !== 'archived',
  );
  return { refunded, disputed: new Set(lost.map(({ transaction }) => transaction.id)) };
}

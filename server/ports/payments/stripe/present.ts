import type { Plan } from '#contract/rules/plans.ts';
import type { PlanIds } from '../../../payments-settings.ts';
import type { ProviderSubscription, Card, Charge, Dispute } from '../payments.ts';
import { toPlan } from '../plan-ids.ts';
import type { CardDetails, Charge as StripeCharge, Invoice, Subscription } from './shapes.ts';

export function presentCard(card: CardDetails | null | undefined): Card | null {
  const { last4, exp_month: expiryMonth, exp_year: expiryYear } = card ?? {};
  if (!last4 || !expiryMonth || !expiryYear) return null;
  return { brand: card?.brand ?? 'card', last4, expiryMonth, expiryYear };
}

const STATUSES: Record<string, Charge['status']> = { succeeded: 'paid', failed: 'failed' };

/** Null if the account is kept in another currency. */
const findFee = ({ balance_transaction: balance, currency }: StripeCharge): number | null =>
  balance?.currency === currency ? balance.fee : null;

export function presentCharge(
  charge: StripeCharge,
  {
    subscription,
    invoice,
    plan,
  }: { subscription: Subscription; invoice: Invoice; plan: Plan | null },
  dispute: Dispute | null,
): Charge {
  const isFirst = invoice.billing_reason === 'subscription_create';
  const status = STATUSES[charge.status] ?? 'pending';
  return {
    id: charge.id,
    reference: isFirst ? (subscription.metadata?.reference ?? null) : null,
    customerId: charge.customer,
    providerSubscriptionId: subscription.id,
    plan,
    status,
    amount: charge.amount,
    refunded: charge.amount_refunded,
    currency: charge.currency.toUpperCase(),
    fee: findFee(charge),
    dispute,
    at: charge.created,
    card: presentCard(charge.payment_method_details?.card),
    failure: status === 'failed' ? describeFailure(charge.failure_message) : null,
  };
}

const describeFailure = (reason: string | null): string =>
  `Your bank declined the payment: ${(reason ?? 'no reason given').slice(0, 160).replace(/\.$/, '')}.`;

/** The subscription's own wins over the customer's. */
export const findPaymentMethod = ({ default_payment_method: own, customer }: Subscription) =>
  own ?? customer.paymentMethod;

const ENDED = new Set(['canceled', 'incomplete_expired']);
const LATE = new Set(['past_due', 'unpaid', 'incomplete', 'paused']);

export function toSubscriptionStatus(subscription: Subscription): ProviderSubscription['status'] {
  const { status, cancel_at_period_end: isCancelled, cancel_at: cancelAt } = subscription;
  if (ENDED.has(status)) return 'ended';
  if (isCancelled || cancelAt !== null) return 'ending';
  return LATE.has(status) ? 'late' : 'active';
}

/** Also one that ends with its period: until then Stripe goes on collecting. */
export const isUnpaid = ({ status }: Subscription): boolean => LATE.has(status);

/** The price from the next payment: that of the schedule's next phase, if there is one. */
function findNextPrice({ schedule, items }: Subscription) {
  const [item] = items.data;
  const isLive = schedule?.status === 'active' || schedule?.status === 'not_started';
  const next = isLive
    ? schedule.phases.find(({ start_date }) => start_date >= (item?.current_period_end ?? 0))
    : undefined;
  return next?.items[0]?.price ?? item?.price;
}

export function toProviderSubscription(
  prices: PlanIds,
  subscription: Subscription,
  retryAt: number | null,
): ProviderSubscription {
  const [item] = subscription.items.data;
  const status = toSubscriptionStatus(subscription);
  const isRenewed = status === 'active' || status === 'late';
  const plan = toPlan(prices, item?.price.id);
  const nextPrice = findNextPrice(subscription);
  const nextPlan = toPlan(prices, nextPrice?.id);
  const periodEnd = (item?.current_period_end ?? 0) * 1000;
  return {
    id: subscription.id,
    customerId: subscription.customer.id,
    plan,
    status,
    nextChargeAt: isRenewed ? (status === 'late' ? retryAt : periodEnd) : null,
    nextAmount: isRenewed ? (nextPrice?.unit_amount ?? null) : null,
    nextPlan: isRenewed && nextPlan !== plan ? nextPlan : null,
    card: presentCard(findPaymentMethod(subscription)?.card),
  };
}

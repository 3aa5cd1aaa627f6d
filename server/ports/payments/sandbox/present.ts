import type { ProviderSubscription, Charge, ProviderCheckoutState } from '../payments.ts';
import { showCard } from './cards.ts';
import { isExpired } from './checkouts.ts';
import type { SubscriptionRow, ChargeRow, CheckoutRow } from './store.ts';

export const presentCharge = (row: ChargeRow): Charge => ({
  id: row.id,
  reference: row.reference,
  customerId: row.customer_id,
  providerSubscriptionId: row.provider_subscription_id,
  plan: row.plan,
  status: row.status,
  amount: row.amount,
  refunded: row.refunded,
  currency: row.currency,
  isDisputed: row.is_disputed === 1,
  at: row.at,
  card: showCard(row.card),
  failure: row.failure,
});

export function toProviderSubscription(row: SubscriptionRow): ProviderSubscription {
  const isRenewed = row.status === 'active' || row.status === 'late';
  return {
    id: row.id,
    customerId: row.customer_id,
    plan: row.plan,
    status: row.status,
    nextChargeAt: isRenewed ? row.next_charge_at : null,
    nextAmount: isRenewed ? row.next_amount : null,
    nextPlan: isRenewed ? row.next_plan : null,
    card: showCard(row.card),
  };
}

export const presentCheckout = (
  row: CheckoutRow,
  charge: ChargeRow | undefined,
  now: number,
): ProviderCheckoutState => ({
  state: row.state === 'closed' || isExpired(row, now) ? 'failed' : row.state,
  providerSubscriptionId: row.provider_subscription_id,
  customerId: row.customer_id,
  charge: charge ? presentCharge(charge) : null,
});

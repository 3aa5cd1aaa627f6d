import { PaymentsError, type CheckoutRequest } from '../payments.ts';
import type { OurMetadata } from './shapes.ts';

/** The least that Paystack takes in this currency. It goes back at once. */
export const CARD_CHECK_CENTS = 100;

export type CheckoutPlan = {
  /** Paystack makes the subscription itself; otherwise we do, once this is paid. */
  hasPlan: boolean;
  amount: number;
  metadata: OurMetadata;
};

/**
 * Paystack charges a plan at its full price and at once. A reduced first payment is therefore one of
 * its own, and a card that pays later is checked with a small one that goes back.
 */
export function planCheckout(
  request: CheckoutRequest,
  { now, periodEnd, code: plan_code }: { now: number; periodEnd: number; code: string },
): CheckoutPlan {
  const { plan, amount, renewalAmount, firstChargeAt } = request;
  const isLater = firstChargeAt > now;
  if (isLater && amount !== 0 && amount !== renewalAmount)
    throw new PaymentsError('Paystack cannot take a reduced payment later than now.', {
      isLasting: true,
    });
  if (isLater || amount === 0) {
    const starts_at = isLater ? firstChargeAt : periodEnd;
    return {
      hasPlan: false,
      amount: CARD_CHECK_CENTS,
      metadata: { purpose: 'card-check', plan, plan_code, starts_at },
    };
  }
  const isFull = amount === renewalAmount;
  const purpose = isFull ? 'subscription' : 'first-payment';
  return { hasPlan: isFull, amount, metadata: { purpose, plan, plan_code, starts_at: periodEnd } };
}

import { refusal, type CheckoutRequest } from '../payments.ts';
import type { PaystackContext } from './context.ts';
import { InitializedTransaction, type OurMetadata } from './shapes.ts';
import { findPlanCode } from './subscriptions.ts';

/** How many checkout URLs are cached for repeated requests. */
const MAX_CACHED = 1000;

/** The smallest amount that Paystack accepts in this currency. */
export const MINIMUM_CENTS = 100;

type StartedCheckout = { url: string; checkoutId: string };

type CheckoutPlan = {
  /** Paystack creates the subscription itself; otherwise we do once this is paid. */
  hasPlan: boolean;
  amount: number;
  metadata: OurMetadata;
};

/**
 * Paystack charges a plan at its full price and immediately. So a reduced first payment is a separate
 * one, and a card that pays later is checked with a small payment that is refunded.
 */
function planCheckout(
  request: CheckoutRequest,
  { now, periodEnd, code: plan_code }: { now: number; periodEnd: number; code: string },
): CheckoutPlan {
  const { plan, amount, renewalAmount, firstChargeAt } = request;
  const isLater = firstChargeAt > now;
  if (isLater && amount !== 0 && amount !== renewalAmount)
    throw refusal('Paystack can’t take a reduced payment later.');
  if (isLater || amount === 0) {
    const starts_at = isLater ? firstChargeAt : periodEnd;
    return {
      hasPlan: false,
      amount: MINIMUM_CENTS,
      metadata: { purpose: 'card-check', plan, plan_code, starts_at },
    };
  }
  const isFull = amount === renewalAmount;
  const purpose = isFull ? 'subscription' : 'first-payment';
  return { hasPlan: isFull, amount, metadata: { purpose, plan, plan_code, starts_at: periodEnd } };
}

async function initialize(
  context: PaystackContext,
  request: CheckoutRequest,
): Promise<StartedCheckout> {
  const { api, plans, calendar, clock } = context;
  const { reference, email, currency, plan, renewalAmount } = request;
  const now = clock.now();
  const price = { plan, amount: renewalAmount, currency };
  const code = await findPlanCode(context, plans[plan], price);
  const periodEnd = calendar.addPeriod(now, plan);
  const checkout = planCheckout(request, { now, periodEnd, code });
  const { authorization_url: url } = await api.post(
    '/transaction/initialize',
    {
      reference,
      email,
      amount: checkout.amount,
      currency,
      // Only a card can be charged again.
      channels: ['card'],
      callback_url: request.successUrl,
      metadata: { ...checkout.metadata, cancel_action: request.cancelUrl },
      ...(checkout.hasPlan && { plan: code }),
    },
    InitializedTransaction,
  );
  // Paystack accepts a reference once and never returns its page again, so we store the URL.
  return { url, checkoutId: url };
}

/** Simultaneous requests get the same page. */
export function createCheckoutStarter(context: PaystackContext) {
  const cache = new Map<string, Promise<StartedCheckout>>();
  return async (request: CheckoutRequest): Promise<StartedCheckout> => {
    const { reference, checkoutId } = request;
    if (checkoutId) return { url: checkoutId, checkoutId };
    const earlier = cache.get(reference);
    if (earlier) return earlier;
    const started = initialize(context, request);
    const [oldest] = cache.keys();
    if (cache.size >= MAX_CACHED && oldest !== undefined) cache.delete(oldest);
    cache.set(reference, started);
    started.catch(() => cache.delete(reference));
    return started;
  };
}

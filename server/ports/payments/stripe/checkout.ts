import type { Stripe } from 'stripe';
import type { Plan } from '#contract/rules/plans.ts';
import type { PlanIds } from '../../../payments-settings.ts';
import {
  refusal,
  unknownCheckout,
  type CheckoutRequest,
  type ProviderCheckoutState,
} from '../payments.ts';
import { askStripe, isMissing, alreadyExists, listStripe } from './ask-stripe.ts';
import { findPaymentMethod } from './present.ts';
import { fetchSubscription, getProviderSubscription } from './read-subscription.ts';
import { Anything, CheckoutSession, Page, Price } from './shapes.ts';
import { DAY, HOUR } from '#contract/rules/time.ts';

/** A session is open for a day, plus an hour in case the clocks differ. */
const SEARCHED_MS = 25 * HOUR;
/** The earliest end of a trial that Stripe accepts, plus an hour. */
const SOONEST_MS = 49 * HOUR;

export const INTERVALS: Record<Plan, 'month' | 'year'> = { monthly: 'month', annual: 'year' };

/** The first of these prices with the amount and interval that the user saw: no one is charged another. */
export async function findPrice(
  stripe: Stripe,
  ids: readonly string[],
  { plan, amount, currency }: { plan: Plan; amount: number; currency: string },
): Promise<string> {
  const mismatches: string[] = [];
  for (const id of ids) {
    const price = await askStripe(Price, stripe.prices.retrieve(id));
    const priceCurrency = price.currency.toUpperCase();
    const { interval, interval_count: count } = price.recurring ?? {};
    const isPrice = price.unit_amount === amount && priceCurrency === currency;
    if (isPrice && interval === INTERVALS[plan] && count === 1) return id;
    mismatches.push(
      isPrice
        ? `the price ${id} is charged ${interval ? `every ${count} ${interval}` : 'only once'} at Stripe`
        : `the price ${id} is ${price.unit_amount} cents ${priceCurrency} at Stripe`,
    );
  }
  throw refusal(
    `${amount} cents ${currency} a ${INTERVALS[plan]} is the price here, but ${mismatches.join(', ')}: make them match.`,
  );
}

/** A one-time Stripe coupon for the difference between the first payment and the later ones. */
async function createDiscount(stripe: Stripe, request: CheckoutRequest): Promise<string | null> {
  const { reference, amount, renewalAmount, currency } = request;
  if (amount >= renewalAmount) return null;
  const id = `first-${reference}`;
  const coupon = {
    id,
    amount_off: renewalAmount - amount,
    currency: currency.toLowerCase(),
    duration: 'once' as const,
    max_redemptions: 1,
  };
  try {
    await askStripe(Anything, stripe.coupons.create(coupon));
  } catch (error) {
    if (!alreadyExists(error)) throw error;
  }
  return id;
}

function planTrial({ firstChargeAt }: CheckoutRequest, now: number) {
  if (firstChargeAt <= now) return {};
  return firstChargeAt >= now + SOONEST_MS
    ? { trial_end: Math.floor(firstChargeAt / 1000) }
    : { trial_period_days: Math.max(1, Math.ceil((firstChargeAt - now) / DAY)) };
}

export async function startCheckout(
  stripe: Stripe,
  prices: PlanIds,
  request: CheckoutRequest,
  now: number,
) {
  const { reference, plan, customerId, email } = request;
  const { renewalAmount: amount, currency } = request;
  const price = await findPrice(stripe, prices[plan], { plan, amount, currency });
  const coupon = await createDiscount(stripe, request);
  const session = await askStripe(
    CheckoutSession,
    stripe.checkout.sessions.create(
      {
        mode: 'subscription',
        client_reference_id: reference,
        line_items: [{ price, quantity: 1 }],
        success_url: request.successUrl,
        cancel_url: request.cancelUrl,
        allowed_payment_method_types: ['card'],
        payment_method_collection: 'always',
        // The user agreed to one currency, whatever the account's settings say.
        adaptive_pricing: { enabled: false },
        subscription_data: { metadata: { reference }, ...planTrial(request, now) },
        ...(coupon && { discounts: [{ coupon }] }),
        ...(customerId ? { customer: customerId } : { customer_email: email }),
      },
      { idempotencyKey: `checkout-${reference}` },
    ),
  );
  if (!session.url) throw refusal('This checkout has ended. Start a new one.');
  return { url: session.url, checkoutId: session.id };
}

async function findSession(
  stripe: Stripe,
  { reference, checkoutId, now }: { reference: string; checkoutId: string | null; now: number },
): Promise<CheckoutSession | null> {
  const isOurs = (session: CheckoutSession) => session.client_reference_id === reference;
  if (checkoutId === null) {
    const gte = Math.floor((now - SEARCHED_MS) / 1000);
    const sessions = await listStripe(
      Page(CheckoutSession),
      (page) => stripe.checkout.sessions.list({ created: { gte }, ...page }),
      isOurs,
    );
    return sessions.find(isOurs) ?? null;
  }
  try {
    const found = await askStripe(CheckoutSession, stripe.checkout.sessions.retrieve(checkoutId));
    return isOurs(found) ? found : null;
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/** An old checkout, by its subscription's metadata. Stripe's search lags by minutes, which is soon enough. */
async function findSubscription(stripe: Stripe, reference: string): Promise<string | null> {
  if (!/^[\w.=-]+$/.test(reference)) return null;
  const query = `metadata['reference']:'${reference}'`;
  const found = await askStripe(Page(Anything), stripe.subscriptions.search({ query, limit: 1 }));
  return found.data[0]?.id ?? null;
}

export async function getCheckout(
  stripe: Stripe,
  prices: PlanIds,
  { reference, checkoutId, now }: { reference: string; checkoutId: string | null; now: number },
): Promise<ProviderCheckoutState> {
  const session = await findSession(stripe, { reference, checkoutId, now });
  if (session && session.status !== 'complete') {
    const state = session.status === 'expired' ? 'failed' : 'open';
    return { ...unknownCheckout, state, customerId: session.customer };
  }
  // Payments by other means than a card may arrive days later.
  if (session?.payment_status === 'unpaid')
    return { ...unknownCheckout, state: 'open', customerId: session.customer };
  const providerSubscriptionId = session
    ? session.subscription
    : await findSubscription(stripe, reference);
  if (!providerSubscriptionId) return unknownCheckout;
  const subscription = await fetchSubscription(stripe, providerSubscriptionId);
  const { providerSubscription, charges } = await getProviderSubscription(
    stripe,
    prices,
    providerSubscriptionId,
  );
  const charge =
    charges.findLast((found) => found.reference === reference && found.status === 'paid') ?? null;
  return {
    state: 'paid',
    providerSubscriptionId,
    customerId: providerSubscription.customerId,
    charge,
    cardFingerprint: findPaymentMethod(subscription)?.card?.fingerprint ?? null,
  };
}

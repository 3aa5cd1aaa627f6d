import type { Stripe } from 'stripe';
import type { PlanIds } from '../../../payments-settings.ts';
import { PaymentsError, type CheckoutRequest, type ProviderCheckoutState } from '../payments.ts';
import { currentPlanId } from '../plan-ids.ts';
import { askStripe, isMissing, isThereAlready, listStripe } from './ask-stripe.ts';
import { getProviderSubscription } from './read-subscription.ts';
import { Anything, CheckoutSession, Page, Price } from './shapes.ts';
import { DAY, HOUR } from '#contract/rules/time.ts';

/** A session is open for a day; an hour more for clocks that differ. */
const SEARCHED_MS = 25 * HOUR;
/** The soonest that Stripe takes as the end of a trial, and a little more. */
const SOONEST_MS = 49 * HOUR;

/** The first of these prices that is the one the member was shown: nobody is charged another. */
export async function findPrice(
  stripe: Stripe,
  ids: readonly string[],
  { amount, currency }: { amount: number; currency: string },
): Promise<string> {
  const others: string[] = [];
  for (const id of ids) {
    const price = await askStripe(Price, stripe.prices.retrieve(id));
    const priceCurrency = price.currency.toUpperCase();
    if (price.unit_amount === amount && priceCurrency === currency) return id;
    others.push(`the price ${id} is ${price.unit_amount} cents ${priceCurrency} at Stripe`);
  }
  throw new PaymentsError(
    `${amount} cents ${currency} is asked here, but ${others.join(', ')}: make them equal.`,
    { isLasting: true },
  );
}

/** What the first payment is less than the others, as something that Stripe can take off once. */
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
    if (!isThereAlready(error)) throw error;
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
  const price = await findPrice(stripe, [currentPlanId(prices, plan)], { amount, currency });
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
        // What was agreed to is in one currency, whatever the account's own settings say.
        adaptive_pricing: { enabled: false },
        subscription_data: { metadata: { reference }, ...planTrial(request, now) },
        ...(coupon && { discounts: [{ coupon }] }),
        ...(customerId ? { customer: customerId } : { customer_email: email }),
      },
      { idempotencyKey: `checkout-${reference}` },
    ),
  );
  if (!session.url)
    throw new PaymentsError('The checkout is over: begin another one.', { isLasting: true });
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

/** An old one by what its subscription remembers: found within minutes, which is soon enough for it. */
async function findSubscription(stripe: Stripe, reference: string): Promise<string | null> {
  if (!/^[\w.=-]+$/.test(reference)) return null;
  const query = `metadata['reference']:'${reference}'`;
  const found = await askStripe(Page(Anything), stripe.subscriptions.search({ query, limit: 1 }));
  return found.data[0]?.id ?? null;
}

const nothing = { providerSubscriptionId: null, customerId: null, charge: null };

export async function getCheckout(
  stripe: Stripe,
  prices: PlanIds,
  { reference, checkoutId, now }: { reference: string; checkoutId: string | null; now: number },
): Promise<ProviderCheckoutState> {
  const session = await findSession(stripe, { reference, checkoutId, now });
  if (session && session.status !== 'complete') {
    const state = session.status === 'expired' ? 'failed' : 'open';
    return { ...nothing, state, customerId: session.customer };
  }
  // What is paid by other ways than a card may arrive days later.
  if (session?.payment_status === 'unpaid')
    return { ...nothing, state: 'open', customerId: session.customer };
  const providerSubscriptionId = session
    ? session.subscription
    : await findSubscription(stripe, reference);
  if (!providerSubscriptionId) return { ...nothing, state: 'unknown' };
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
  };
}

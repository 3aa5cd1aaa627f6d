import { CURRENCY, type Plan } from '#contract/rules/plans.ts';
import type { PlanIds } from '../../../payments-settings.ts';
import { PaymentsError } from '../payments.ts';
import { toPlan } from '../plan-ids.ts';
import { PaystackRefusal, type PaystackApi } from './api.ts';
import { toSubscriptionStatus } from './present.ts';
import { CreatedSubscription, Done, PaystackPlan, Subscription } from './shapes.ts';

export const refuse = (message: string) => new PaymentsError(message, { isLasting: true });
export const path = (...parts: string[]) => `/${parts.map(encodeURIComponent).join('/')}`;

export const fetchSubscription = (api: PaystackApi, code: string) =>
  api.get(path('subscription', code), Subscription);

export const listSubscriptions = (api: PaystackApi, customer: number) =>
  api.list('/subscription', { customer }, Subscription);

const toggle = (
  api: PaystackApi,
  action: 'enable' | 'disable',
  { subscription_code: code, email_token: token }: Subscription,
) => api.post(`/subscription/${action}`, { code, token }, Done);

const isRenewed = (subscription: Subscription): boolean =>
  ['active', 'late'].includes(toSubscriptionStatus(subscription));

/** What is switched off already, by another tab or an earlier try, is as it should be. */
export async function disable(api: PaystackApi, subscription: Subscription) {
  if (!isRenewed(subscription)) return;
  try {
    await toggle(api, 'disable', subscription);
  } catch (error) {
    const now =
      error instanceof PaystackRefusal
        ? await fetchSubscription(api, subscription.subscription_code)
        : subscription;
    if (isRenewed(now)) throw error;
  }
}

export async function enable(api: PaystackApi, subscription: Subscription) {
  const status = toSubscriptionStatus(subscription);
  if (status === 'ended') throw refuse('The subscription has ended: a new one is needed.');
  if (status === 'ending') await toggle(api, 'enable', subscription);
}

/** Two may ask at the same moment, or the answer may be lost: what is there then is what was made. */
export async function createSubscription(
  api: PaystackApi,
  wish: { customer: string; plan: string; authorization: string | undefined; startsAt: number },
  find: () => Promise<string | null>,
): Promise<string> {
  const { startsAt, ...rest } = wish;
  const start_date = new Date(startsAt).toISOString();
  try {
    const made = await api.post('/subscription', { ...rest, start_date }, CreatedSubscription);
    return made.subscription_code;
  } catch (error) {
    // A no that cannot be looked into is no answer: whoever undoes things on it must not hear it.
    const made = error instanceof PaystackRefusal ? await find() : await find().catch(() => null);
    if (made !== null) return made;
    throw error;
  }
}

/** The first of these plans that costs what the member was shown: nobody is charged another price. */
export async function findPlanCode(
  api: PaystackApi,
  codes: readonly string[],
  { amount, currency }: { amount: number; currency: string },
): Promise<string> {
  const others: string[] = [];
  for (const code of codes) {
    const plan = await api.get(path('plan', code), PaystackPlan);
    if (plan.amount === amount && plan.currency === currency) return code;
    others.push(`the plan ${code} costs ${plan.amount} cents ${plan.currency} at Paystack`);
  }
  throw refuse(
    `${amount} cents ${currency} is asked here, but ${others.join(', ')}: make them equal.`,
  );
}

type Change = { providerSubscriptionId: string; plan: Plan; amount: number; startsAt: number };

const cardOf = ({ authorization }: Subscription) => authorization?.authorization_code ?? null;

/** The customer is an address, which may have had two owners: their cards are not the same. */
const isSameCard = (one: Subscription, other: Subscription): boolean =>
  cardOf(one) === null || cardOf(other) === null || cardOf(one) === cardOf(other);

/**
 * What an earlier try has made, or what the member had before and now goes back to: one that still
 * renews before one that can be made to.
 */
async function findMade(
  api: PaystackApi,
  plans: PlanIds,
  current: Subscription,
  { plan, amount }: Change,
): Promise<Subscription | null> {
  const fitting = (await listSubscriptions(api, current.customer.id)).filter(
    (found) =>
      found.subscription_code !== current.subscription_code &&
      toPlan(plans, found.plan) === plan &&
      found.amount === amount &&
      isSameCard(found, current),
  );
  const withStatus = (status: string) =>
    fitting.find((found) => toSubscriptionStatus(found) === status);
  return withStatus('active') ?? withStatus('ending') ?? null;
}

/**
 * Paystack cannot change a subscription: a second one begins where the first one ends. The first is
 * switched off before the second exists, so that wherever this stops nobody pays for both; asking
 * again goes on from there.
 */
export async function changePlan(
  { api, plans, now }: { api: PaystackApi; plans: PlanIds; now: number },
  change: Change,
): Promise<{ providerSubscriptionId: string }> {
  const { providerSubscriptionId, plan, amount, startsAt } = change;
  const current = await fetchSubscription(api, providerSubscriptionId);
  if (toSubscriptionStatus(current) === 'ended')
    throw refuse('The subscription has ended: a new one is needed.');
  if (toPlan(plans, current.plan) === plan) {
    await enable(api, current);
    return { providerSubscriptionId };
  }
  const made = await findMade(api, plans, current, change);
  if (made) {
    await disable(api, current);
    await enable(api, made);
    return { providerSubscriptionId: made.subscription_code };
  }
  const code = await findPlanCode(api, plans[plan], { amount, currency: CURRENCY });
  await disable(api, current);
  const wish = {
    customer: current.customer.customer_code,
    plan: code,
    authorization: cardOf(current) ?? undefined,
    startsAt: Math.max(startsAt, now),
  };
  const find = async () => (await findMade(api, plans, current, change))?.subscription_code ?? null;
  try {
    return { providerSubscriptionId: await createSubscription(api, wish, find) };
  } catch (error) {
    // A plain no has made nothing, and the member keeps what they had. After silence nobody knows:
    // the first stays off, or both might be charged.
    if (error instanceof PaymentsError && error.isLasting)
      await enable(api, await fetchSubscription(api, providerSubscriptionId));
    throw error;
  }
}

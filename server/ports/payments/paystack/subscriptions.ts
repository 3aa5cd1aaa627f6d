import { CURRENCY } from '#contract/rules/plans.ts';
import type { PlanIds } from '../../../payments-settings.ts';
import { isRefusal, refusal, subscriptionEnded, type PlanChange } from '../payments.ts';
import { toPlan } from '../plan-ids.ts';
import { PaystackRefusal, type PaystackApi } from './api.ts';
import { toSubscriptionStatus } from './present.ts';
import { CreatedSubscription, Done, PaystackPlan, Subscription } from './shapes.ts';

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

/** Succeeds as well if another tab or an earlier attempt has already disabled it. */
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
  if (status === 'ended') throw subscriptionEnded();
  if (status === 'ending') await toggle(api, 'enable', subscription);
}

/** Two requests may run at the same time, or the response may be lost: then finds what was created. */
export async function createSubscription(
  api: PaystackApi,
  request: { customer: string; plan: string; authorization: string | undefined; startsAt: number },
  find: () => Promise<string | null>,
): Promise<string> {
  const { startsAt, ...rest } = request;
  const start_date = new Date(startsAt).toISOString();
  try {
    const created = await api.post('/subscription', { ...rest, start_date }, CreatedSubscription);
    return created.subscription_code;
  } catch (error) {
    // After a refusal the search must succeed: only then is it certain that nothing was created.
    const existing =
      error instanceof PaystackRefusal ? await find() : await find().catch(() => null);
    if (existing !== null) return existing;
    throw error;
  }
}

/** The first of these plans with the price that the user saw: no one is charged another price. */
export async function findPlanCode(
  api: PaystackApi,
  codes: readonly string[],
  { amount, currency }: { amount: number; currency: string },
): Promise<string> {
  const mismatches: string[] = [];
  for (const code of codes) {
    const plan = await api.get(path('plan', code), PaystackPlan);
    if (plan.amount === amount && plan.currency === currency) return code;
    mismatches.push(`the plan ${code} costs ${plan.amount} cents ${plan.currency} at Paystack`);
  }
  throw refusal(
    `${amount} cents ${currency} is the price here, but ${mismatches.join(', ')}: make them match.`,
  );
}

const cardOf = ({ authorization }: Subscription) => authorization?.authorization_code ?? null;

/** The customer is an e-mail address, which may have had two owners with different cards. */
const isSameCard = (one: Subscription, other: Subscription): boolean =>
  cardOf(one) === null || cardOf(other) === null || cardOf(one) === cardOf(other);

/** A subscription of an earlier attempt or an older one, preferably one that still renews. */
async function findExisting(
  api: PaystackApi,
  plans: PlanIds,
  current: Subscription,
  { plan, amount }: PlanChange,
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
 * Paystack cannot change a subscription, so a second one starts when the first one ends. The first is
 * disabled before the second is created, so that no one pays for both if this stops half-way; asking
 * again continues from there.
 */
export async function changePlan(
  { api, plans, now }: { api: PaystackApi; plans: PlanIds; now: number },
  change: PlanChange,
): Promise<{ providerSubscriptionId: string }> {
  const { providerSubscriptionId, plan, amount, startsAt } = change;
  const current = await fetchSubscription(api, providerSubscriptionId);
  if (toSubscriptionStatus(current) === 'ended') throw subscriptionEnded();
  if (toPlan(plans, current.plan) === plan) {
    await enable(api, current);
    return { providerSubscriptionId };
  }
  const existing = await findExisting(api, plans, current, change);
  if (existing) {
    await disable(api, current);
    await enable(api, existing);
    return { providerSubscriptionId: existing.subscription_code };
  }
  const code = await findPlanCode(api, plans[plan], { amount, currency: CURRENCY });
  await disable(api, current);
  const request = {
    customer: current.customer.customer_code,
    plan: code,
    authorization: cardOf(current) ?? undefined,
    startsAt: Math.max(startsAt, now),
  };
  const find = async () =>
    (await findExisting(api, plans, current, change))?.subscription_code ?? null;
  try {
    return { providerSubscriptionId: await createSubscription(api, request, find) };
  } catch (error) {
    // After a clear refusal nothing was created, so the user keeps the old plan. After silence it is
    // uncertain: the first stays disabled, or both might be charged.
    if (isRefusal(error)) await enable(api, await fetchSubscription(api, providerSubscriptionId));
    throw error;
  }
}

import { CURRENCY, type Plan } from '#contract/rules/plans.ts';
import type { PlanIds } from '../../../payments-settings.ts';
import { PaymentsError } from '../payments.ts';
import { toPlan } from '../plan-ids.ts';
import type { PaystackApi } from './api.ts';
import { agreementStatus } from './present.ts';
import type { Subscription } from './shapes.ts';
import {
  createSubscription,
  disable,
  enable,
  fetchSubscription,
  findPlanCode,
  listSubscriptions,
  refuse,
} from './subscriptions.ts';

type Change = { agreementId: string; plan: Plan; amount: number; startsAt: number };

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
  const withStatus = (status: string) => fitting.find((found) => agreementStatus(found) === status);
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
): Promise<{ agreementId: string }> {
  const { agreementId, plan, amount, startsAt } = change;
  const current = await fetchSubscription(api, agreementId);
  if (agreementStatus(current) === 'ended')
    throw refuse('The agreement has ended: a new one is needed.');
  if (toPlan(plans, current.plan) === plan) {
    await enable(api, current);
    return { agreementId };
  }
  const made = await findMade(api, plans, current, change);
  if (made) {
    await disable(api, current);
    await enable(api, made);
    return { agreementId: made.subscription_code };
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
    return { agreementId: await createSubscription(api, wish, find) };
  } catch (error) {
    // A plain no has made nothing, and the member keeps what they had. After silence nobody knows:
    // the first stays off, or both might be charged.
    if (error instanceof PaymentsError && error.isLasting)
      await enable(api, await fetchSubscription(api, agreementId));
    throw error;
  }
}

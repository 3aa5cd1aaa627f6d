import { CURRENCY, type Plan } from '#contract/rules/plans.ts';
import {
  isRefusal,
  refusal,
  subscriptionEnded,
  type OwedPayment,
  type PlanChange,
} from '../payments.ts';
import { toPlan } from '../plan-ids.ts';
import { PaystackRefusal } from './api.ts';
import {
  fetchSubscription,
  findTransaction,
  listSubscriptions,
  path,
  type PaystackContext,
} from './context.ts';
import { isReusable, toSubscriptionStatus } from './present.ts';
import { readSubscription } from './read-customer.ts';
import {
  CreatedSubscription,
  Done,
  PaystackPlan,
  type OurMetadata,
  type Subscription,
} from './shapes.ts';

const isRenewed = (subscription: Subscription): boolean =>
  ['active', 'late'].includes(toSubscriptionStatus(subscription));

/** Succeeds as well if another tab or an earlier attempt has already disabled it. */
export async function disable(context: PaystackContext, subscription: Subscription) {
  if (!isRenewed(subscription)) return;
  const { subscription_code: code, email_token: token } = subscription;
  try {
    await context.api.post('/subscription/disable', { code, token }, Done);
  } catch (error) {
    const now =
      error instanceof PaystackRefusal ? await fetchSubscription(context, code) : subscription;
    if (isRenewed(now)) throw error;
  }
}

/** Two requests may run at the same time, or the response may be lost: then finds what was created. */
export async function createSubscription(
  { api, clock }: PaystackContext,
  request: { customer: string; plan: string; authorization: string | undefined; startsAt: number },
  find: () => Promise<string | null>,
): Promise<string> {
  const { startsAt, ...rest } = request;
  // Without a date Paystack charges at once.
  const start = startsAt > clock.now() ? { start_date: new Date(startsAt).toISOString() } : {};
  try {
    const created = await api.post('/subscription', { ...rest, ...start }, CreatedSubscription);
    return created.subscription_code;
  } catch (error) {
    // After a refusal the search must succeed: only then is it certain that nothing was created.
    const existing =
      error instanceof PaystackRefusal ? await find() : await find().catch(() => null);
    if (existing !== null) return existing;
    throw error;
  }
}

const INTERVALS: Record<Plan, string> = { monthly: 'monthly', annual: 'annually' };
/** In test mode an operator may try a plan that renews soon. */
const TEST_INTERVALS = ['hourly', 'daily'];

/** The first of these plans with the price and interval that the user saw. */
export async function findPlanCode(
  { api, isTest }: Pick<PaystackContext, 'api' | 'isTest'>,
  codes: readonly string[],
  { plan, amount, currency }: { plan: Plan; amount: number; currency: string },
): Promise<string> {
  const mismatches: string[] = [];
  for (const code of codes) {
    const found = await api.get(path('plan', code), PaystackPlan);
    const isPrice = found.amount === amount && found.currency === currency;
    const isInterval =
      found.interval === INTERVALS[plan] || (isTest && TEST_INTERVALS.includes(found.interval));
    if (isPrice && isInterval) return code;
    mismatches.push(
      isPrice
        ? `the plan ${code} is charged ${found.interval} at Paystack`
        : `the plan ${code} costs ${found.amount} cents ${found.currency} at Paystack`,
    );
  }
  throw refusal(
    `${amount} cents ${currency} ${INTERVALS[plan]} is the price here, but ${mismatches.join(', ')}: make them match.`,
  );
}

const cardOf = ({ authorization }: Subscription) => authorization?.authorization_code ?? null;

/** The customer is an e-mail address, which may have had two owners with different cards. */
const isSameCard = (one: Subscription, other: Subscription): boolean =>
  cardOf(one) === null || cardOf(other) === null || cardOf(one) === cardOf(other);

/** The replacement that an earlier attempt or another tab created. */
async function findReplacement(
  context: PaystackContext,
  current: Subscription,
  { plan, amount }: PlanChange,
): Promise<string | null> {
  const found = (await listSubscriptions(context, current.customer)).find(
    (other) =>
      other.subscription_code !== current.subscription_code &&
      toPlan(context.plans, other.plan) === plan &&
      other.amount === amount &&
      toSubscriptionStatus(other) === 'active' &&
      other.createdAt >= current.createdAt &&
      isSameCard(other, current),
  );
  return found?.subscription_code ?? null;
}

/**
 * Paystack can neither change a subscription nor turn a disabled one on again. So another one takes
 * over at the end of the paid period, when the old one would charge. The old one is disabled once
 * the new one stands: if this stops half-way, both exist, and asking again disables the old one.
 */
export async function replaceSubscription(
  context: PaystackContext,
  change: PlanChange,
): Promise<{ providerSubscriptionId: string }> {
  const { providerSubscriptionId: id, plan, amount, startsAt } = change;
  const { plans } = context;
  const current = await fetchSubscription(context, id);
  if (toSubscriptionStatus(current) === 'ended') throw subscriptionEnded();
  const isSame = toPlan(plans, current.plan) === plan && current.amount === amount;
  if (isSame && isRenewed(current)) return { providerSubscriptionId: id };
  const find = () => findReplacement(context, current, change);
  let next = await find();
  if (next === null) {
    const price = { plan, amount, currency: CURRENCY };
    const request = {
      customer: current.customer.customer_code,
      plan: await findPlanCode(context, plans[plan], price),
      authorization: cardOf(current) ?? undefined,
      startsAt,
    };
    next = await createSubscription(context, request, find);
  }
  await disable(context, current);
  return { providerSubscriptionId: next };
}

/** Paystack doesn't retry a failed renewal, so we charge the card on file ourselves. */
export async function payOwed(context: PaystackContext, payment: OwedPayment): Promise<void> {
  const { providerSubscriptionId: id, reference, plan, amount } = payment;
  const subscription = await fetchSubscription(context, id);
  // Asked again for the same payment, or paid in the meantime.
  if (await findTransaction(context, reference)) return;
  const { status } = (await readSubscription(context, subscription)).providerSubscription;
  if (status !== 'late') return;
  const { authorization, customer, plan: plan_code } = subscription;
  if (!isReusable(authorization) || !customer.email || plan_code === null)
    throw refusal('The card can’t be charged. Add another card first.');
  const metadata: OurMetadata = {
    purpose: 'owed',
    plan,
    plan_code,
    starts_at: context.clock.now(),
    subscription: id,
  };
  try {
    await context.api.post(
      '/transaction/charge_authorization',
      {
        authorization_code: authorization?.authorization_code,
        email: customer.email,
        amount,
        currency: CURRENCY,
        reference,
        metadata,
      },
      Done,
    );
  } catch (error) {
    // Another request was faster, or the bank declined: then the payment is there.
    if (!isRefusal(error) || !(await findTransaction(context, reference))) throw error;
  }
}

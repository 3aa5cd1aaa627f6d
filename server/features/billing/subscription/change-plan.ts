import type { ChangeQuote, Subscription } from '#contract/billing.ts';
import { CURRENCY, type Plan } from '#contract/rules/plans.ts';
import { readSettings } from '../../../db/settings.ts';
import type { Deps } from '../../../deps.ts';
import type { Viewer } from '../../../http/guards.ts';
import type { Payments } from '../../../ports/payments/payments.ts';
import { askProvider } from '../ask-provider.ts';
import { priceOf } from '../checkout/quote.ts';
import { findNoticeFor, findPlannedPrice, listNoticesOf, useChange } from '../prices/queries.ts';
import { findPaidThroughOf, type ProviderSubscriptionRow } from '../queries.ts';
import { reconcileSubscription } from '../reconcile/reconcile-subscription.ts';
import { refundDuplicates } from '../reconcile/refund-duplicates.ts';
import { agreeTo, findAgreedAmount, readAgreedPrices } from './agreed-prices.ts';
import { getCurrentSubscription } from './manage-subscription.ts';
import { recordAgreedPrice, recordReplacement } from './record-change.ts';
import { getSubscription } from './service.ts';

type Offer = {
  amount: number;
  startsAt: number;
  /** The price change that the amount comes from. */
  changeId: string | null;
};

/** The first payment after a change replaces the one that would be due anyway. */
async function createChangeOffer(
  { database, clock, payments: { name: provider } }: Deps,
  userId: string,
  { current, plan }: { current: ProviderSubscriptionRow; plan: Plan },
): Promise<Offer> {
  const now = clock.now();
  const settings = await readSettings(database.db, now);
  const paidThrough = await findPaidThroughOf(database.db, userId);
  const next = current.status === 'ending' ? null : current.next_charge_at;
  const startsAt = Math.max(next ?? paidThrough ?? 0, now);
  if (plan === current.plan) {
    // Going back to the current plan keeps its price, or the one that the user was told about.
    const notice = findNoticeFor(await listNoticesOf(database.db, userId), plan, startsAt);
    const agreed = findAgreedAmount(readAgreedPrices(current.agreed_prices), plan);
    const amount = notice?.amount ?? agreed ?? priceOf(settings, plan);
    return { amount, startsAt, changeId: notice?.change_id ?? null };
  }
  const planned = await findPlannedPrice(database.db, { provider, plan, at: startsAt });
  const amount = planned?.amount ?? priceOf(settings, plan);
  return { amount, startsAt, changeId: planned?.id ?? null };
}

const statuses = ['active', 'late', 'ending'] as const;

/** What a plan change would cost, and from when. */
export async function quoteChange(deps: Deps, viewer: Viewer, plan: Plan): Promise<ChangeQuote> {
  const current = await getCurrentSubscription(deps, viewer, statuses);
  const { amount, startsAt: at } = await createChangeOffer(deps, viewer.user.id, { current, plan });
  return { plan, currency: CURRENCY, amount, at };
}

/** An earlier change may have stopped before the old subscription was cancelled. */
const finishEarlierChange = (deps: Deps, userId: string) =>
  askProvider(deps, async () => {
    if (await refundDuplicates(deps, userId)) await reconcileSubscription(deps, userId);
  });

/** Records the price before the provider is asked. A price change that it uses can't be cancelled. */
async function agreeOnChange(
  deps: Deps,
  userId: string,
  { current, plan }: { current: ProviderSubscriptionRow; plan: Plan },
): Promise<Offer> {
  for (;;) {
    const offer = await createChangeOffer(deps, userId, { current, plan });
    const { amount, changeId } = offer;
    const isAgreed = await deps.database.db.transaction().execute(async (tx) => {
      if (changeId !== null && !(await useChange(tx, changeId, deps.clock.now()))) return false;
      await recordAgreedPrice(tx, userId, current, {
        plan,
        agree: (prices) => agreeTo(prices, { plan, amount }),
      });
      return true;
    });
    if (isAgreed) return offer;
  }
}

/** Asks the provider for a change. If it stops half-way, reconciling or asking again completes it. */
async function applyChange(
  deps: Deps,
  userId: string,
  { current, plan }: { current: ProviderSubscriptionRow; plan: Plan },
  {
    ask,
    actor = 'user',
    ...intent
  }: {
    ask: Payments['changePlan'];
    kind: 'plan-changed' | 'resumed';
    because: string;
    actor?: string;
  },
): Promise<void> {
  const { amount, startsAt } = await agreeOnChange(deps, userId, { current, plan });
  await askProvider(deps, async () => {
    const { provider_subscription_id: providerSubscriptionId } = current;
    const changed = await ask({ providerSubscriptionId, plan, amount, startsAt });
    await recordReplacement(deps, userId, current, changed.providerSubscriptionId);
    const hints = { providerSubscriptionIds: [changed.providerSubscriptionId] };
    const full = { ...intent, detail: null, actor };
    await reconcileSubscription(deps, userId, { intent: full, hints });
  });
}

export async function changePlan(deps: Deps, viewer: Viewer, plan: Plan): Promise<Subscription> {
  const { id: userId } = viewer.user;
  await finishEarlierChange(deps, userId);
  const current = await getCurrentSubscription(deps, viewer, statuses);
  if ((current.next_plan ?? current.plan) !== plan)
    await applyChange(
      deps,
      userId,
      { current, plan },
      {
        ask: deps.payments.changePlan,
        kind: 'plan-changed',
        because: `Member switched to the ${plan} plan from the next payment.`,
      },
    );
  return getSubscription(deps, viewer);
}

/** Continues on the same plan; a pending plan change is dropped. */
export async function resumeSubscription(deps: Deps, viewer: Viewer): Promise<Subscription> {
  const current = await getCurrentSubscription(deps, viewer, ['ending']);
  await applyChange(
    deps,
    viewer.user.id,
    { current, plan: current.plan },
    {
      ask: deps.payments.resume,
      kind: 'resumed',
      because: 'Member resumed the subscription.',
    },
  );
  return getSubscription(deps, viewer);
}

/** For a member who has not agreed to another year: monthly, at the monthly price, from its end. */
export const continueMonthly = (
  deps: Deps,
  userId: string,
  current: ProviderSubscriptionRow,
): Promise<void> =>
  applyChange(
    deps,
    userId,
    { current, plan: 'monthly' },
    {
      ask: deps.payments.changePlan,
      kind: 'plan-changed',
      because: 'The year ends; the site continues subscriptions month by month.',
      actor: 'system',
    },
  );

import type { ChangeQuote, Subscription } from '#contract/billing.ts';
import { CURRENCY, type Plan } from '#contract/rules/plans.ts';
import { readSettings } from '../../../db/settings.ts';
import type { Deps } from '../../../deps.ts';
import type { Viewer } from '../../../http/guards.ts';
import type { Payments } from '../../../ports/payments/payments.ts';
import { lockAccount } from '../account-lock.ts';
import { askProvider } from '../ask-provider.ts';
import { priceOf } from '../checkout/quote.ts';
import {
  findPaidThroughOf,
  listProviderSubscriptionsOf,
  type ProviderSubscriptionRow,
} from '../queries.ts';
import { reconcileSubscription } from '../reconcile/reconcile-subscription.ts';
import { refundDuplicates } from '../reconcile/refund-duplicates.ts';
import { addAgreedPrices, findAgreedAmount, readAgreedPrices } from './agreed-prices.ts';
import { getCurrentSubscription } from './manage-subscription.ts';
import { getSubscription } from './service.ts';

type Offer = { amount: number; startsAt: number };

/** The first payment after a change replaces the one that would be due anyway. */
async function createChangeOffer(
  { database, clock }: Deps,
  userId: string,
  { current, plan }: { current: ProviderSubscriptionRow; plan: Plan },
): Promise<Offer> {
  const now = clock.now();
  const settings = await readSettings(database.db, now);
  const paidThrough = await findPaidThroughOf(database.db, userId);
  // Going back to the current plan keeps its price.
  const agreedAmount =
    plan === current.plan ? findAgreedAmount(readAgreedPrices(current.agreed_prices), plan) : null;
  const next = current.status === 'ending' ? null : current.next_charge_at;
  return {
    amount: agreedAmount ?? priceOf(settings, plan),
    startsAt: Math.max(next ?? paidThrough ?? 0, now),
  };
}

const statuses = ['active', 'late', 'ending'] as const;

/** What a plan change would cost, and from when. */
export async function quoteChange(deps: Deps, viewer: Viewer, plan: Plan): Promise<ChangeQuote> {
  const current = await getCurrentSubscription(deps, viewer, statuses);
  const { amount, startsAt: at } = await createChangeOffer(deps, viewer.user.id, { current, plan });
  return { plan, currency: CURRENCY, amount, at };
}

/** Recorded before the provider is asked, so that its charge matches an agreed price. */
const recordAgreedPrice = (
  { database }: Deps,
  userId: string,
  { current, plan, amount }: { current: ProviderSubscriptionRow; plan: Plan; amount: number },
): Promise<void> =>
  database.db.transaction().execute(async (tx) => {
    await lockAccount(tx, userId);
    const rows = await listProviderSubscriptionsOf(tx, userId);
    const row = rows.find(({ id }) => id === current.id) ?? current;
    const prices = addAgreedPrices(readAgreedPrices(row.agreed_prices), [{ plan, amount }]);
    await tx
      .updateTable('provider_subscriptions')
      .set({ agreed_prices: JSON.stringify(prices), changing_to: plan, replaced_by: null })
      .where('id', '=', current.id)
      .execute();
  });

/**
 * Some providers answer with a new subscription that replaces the old one. From here on we know that
 * it belongs to this user, whatever the provider says about its customers.
 */
async function recordReplacement(
  { database }: Deps,
  userId: string,
  { id, provider, provider_subscription_id }: ProviderSubscriptionRow,
  replacedBy: string,
) {
  if (replacedBy === provider_subscription_id) return;
  await database.db.transaction().execute(async (tx) => {
    await lockAccount(tx, userId);
    await tx
      .updateTable('provider_subscriptions')
      .set({ changing_to: null, replaced_by: replacedBy })
      .where('id', '=', id)
      .execute();
    await tx
      .updateTable('provider_subscriptions')
      .set({ replaced_by: null })
      .where('id', '=', `${provider}:${replacedBy}`)
      .execute();
  });
}

/** An earlier change may have stopped before the old subscription was cancelled. */
const finishEarlierChange = (deps: Deps, userId: string) =>
  askProvider(deps, async () => {
    if (await refundDuplicates(deps, userId)) await reconcileSubscription(deps, userId);
  });

/** Asks the provider for a change. If it stops half-way, reconciling or asking again completes it. */
async function applyChange(
  deps: Deps,
  userId: string,
  { current, plan }: { current: ProviderSubscriptionRow; plan: Plan },
  {
    ask,
    ...intent
  }: { ask: Payments['changePlan']; kind: 'plan-changed' | 'resumed'; because: string },
): Promise<void> {
  const { amount, startsAt } = await createChangeOffer(deps, userId, { current, plan });
  await recordAgreedPrice(deps, userId, { current, plan, amount });
  await askProvider(deps, async () => {
    const { provider_subscription_id: providerSubscriptionId } = current;
    const changed = await ask({ providerSubscriptionId, plan, amount, startsAt });
    await recordReplacement(deps, userId, current, changed.providerSubscriptionId);
    const hints = { providerSubscriptionIds: [changed.providerSubscriptionId] };
    const full = { ...intent, detail: null, actor: 'user' };
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

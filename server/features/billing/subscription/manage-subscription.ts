import type { CANCEL_REASONS, Subscription } from '#contract/billing.ts';
import type { Deps } from '../../../deps.ts';
import { AppError } from '../../../http/app-error.ts';
import type { Viewer } from '../../../http/guards.ts';
import { askProvider } from '../ask-provider.ts';
import { listProviderSubscriptionsOf, type ProviderSubscriptionRow } from '../queries.ts';
import { reconcileSubscription } from '../reconcile/reconcile-subscription.ts';
import { findCurrentSubscription, getSubscription, listRenewing } from './service.ts';

async function findCurrent({ database, payments }: Deps, { user }: Viewer) {
  const rows = await listProviderSubscriptionsOf(database.db, user.id);
  return findCurrentSubscription(rows, payments.name);
}

/** Everything that would charge again, whatever the member has access to. */
async function findRenewing({ database, payments }: Deps, { user }: Viewer) {
  return listRenewing(await listProviderSubscriptionsOf(database.db, user.id), payments.name);
}

export async function getCurrentSubscription(
  deps: Deps,
  viewer: Viewer,
  statuses: readonly ProviderSubscriptionRow['status'][],
): Promise<ProviderSubscriptionRow> {
  const current = await findCurrent(deps, viewer);
  if (!current || !statuses.includes(current.status)) throw new AppError('not_subscribed');
  return current;
}

export async function cancelSubscription(
  deps: Deps,
  viewer: Viewer,
  {
    reason,
    comment,
  }: { reason?: (typeof CANCEL_REASONS)[number] | undefined; comment?: string | undefined },
): Promise<Subscription> {
  let renewing = await findRenewing(deps, viewer);
  if (renewing.length === 0) throw new AppError('not_subscribed');
  const detail =
    reason || comment ? JSON.stringify({ reason, ...(comment ? { comment } : {}) }) : null;
  const quote = comment ? ` and wrote: “${comment}”` : '';
  const isLate = renewing.every(({ status }) => status === 'late');
  const then = isLate
    ? 'The subscription ended at once.'
    : 'Access continues until the period ends.';
  const because = `Member cancelled${reason ? ` (${reason})` : ''}${quote}. ${then}`;
  const intent = { kind: 'cancelled' as const, because, detail, actor: 'user' };
  const cancelled = new Set<string>();
  await askProvider(deps, async () => {
    // A plan change that stopped half-way may have left another one, which only shows up now.
    while (renewing.length > 0) {
      for (const row of renewing) {
        cancelled.add(row.id);
        await deps.payments.cancelAtPeriodEnd(row.provider_subscription_id);
      }
      await reconcileSubscription(deps, viewer.user.id, { intent });
      renewing = (await findRenewing(deps, viewer)).filter(({ id }) => !cancelled.has(id));
    }
  });
  return getSubscription(deps, viewer);
}

/** A new card shows at once, even if the provider's message is late or lost. */
export async function checkSubscription(deps: Deps, viewer: Viewer): Promise<Subscription> {
  await askProvider(deps, () => reconcileSubscription(deps, viewer.user.id));
  return getSubscription(deps, viewer);
}

export async function getCardUpdatePage(deps: Deps, viewer: Viewer): Promise<{ url: string }> {
  const current = await getCurrentSubscription(deps, viewer, ['active', 'late', 'ending']);
  const returnUrl = `${deps.site.origin}/subscription?card=updated`;
  const url = await askProvider(deps, () =>
    deps.payments.cardUpdateUrl(current.provider_subscription_id, returnUrl),
  );
  return { url };
}

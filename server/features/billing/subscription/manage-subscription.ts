import type { CANCEL_REASONS, Subscription } from '#contract/billing.ts';
import type { Deps } from '../../../deps.ts';
import { AppError } from '../../../http/app-error.ts';
import type { Viewer } from '../../../http/guards.ts';
import { askProvider } from '../ask-provider.ts';
import {
  isRenewing,
  listProviderSubscriptionsOf,
  type ProviderSubscriptionRow,
} from '../queries.ts';
import { reconcileSubscription } from '../reconcile/reconcile-subscription.ts';
import { findCurrentSubscription, getSubscription } from './service.ts';

async function findCurrent({ database, payments }: Deps, { user }: Viewer) {
  const rows = await listProviderSubscriptionsOf(database.db, user.id);
  return findCurrentSubscription(rows, payments.name);
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
  { reason, comment }: { reason: (typeof CANCEL_REASONS)[number]; comment?: string | undefined },
): Promise<Subscription> {
  let current: ProviderSubscriptionRow | null = await getCurrentSubscription(deps, viewer, [
    'active',
    'late',
  ]);
  const detail = JSON.stringify({ reason, ...(comment ? { comment } : {}) });
  const quote = comment ? ` and wrote: “${comment}”` : '';
  const because = `Member cancelled (${reason})${quote}. Access continues until the period ends.`;
  const intent = { kind: 'cancelled' as const, because, detail, actor: 'user' };
  const cancelled = new Set<string>();
  await askProvider(deps, async () => {
    // A plan change that stopped half-way may have left another one, which only shows up now.
    while (current && isRenewing(current) && !cancelled.has(current.id)) {
      cancelled.add(current.id);
      await deps.payments.cancelAtPeriodEnd(current.provider_subscription_id);
      await reconcileSubscription(deps, viewer.user.id, { intent });
      current = await findCurrent(deps, viewer);
    }
  });
  return getSubscription(deps, viewer);
}

export async function getCardUpdatePage(deps: Deps, viewer: Viewer): Promise<{ url: string }> {
  const current = await getCurrentSubscription(deps, viewer, ['active', 'late', 'ending']);
  const returnUrl = `${deps.site.origin}/subscription`;
  const url = await askProvider(deps, () =>
    deps.payments.cardUpdateUrl(current.provider_subscription_id, returnUrl),
  );
  return { url };
}

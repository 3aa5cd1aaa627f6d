import type { Subscription } from '#contract/billing.ts';
import type { Deps } from '../../../deps.ts';
import { AppError } from '../../../http/app-error.ts';
import type { Viewer } from '../../../http/guards.ts';
import { isRefusal } from '../../../ports/payments/payments.ts';
import { askProvider } from '../ask-provider.ts';
import { listLedgerEntries, listProviderSubscriptionsOf } from '../queries.ts';
import { reconcileSubscription } from '../reconcile/reconcile-subscription.ts';
import { findOwed } from './find-owed.ts';
import { findCurrentSubscription, getSubscription } from './service.ts';

async function readOwed({ database, payments, clock }: Deps, userId: string) {
  const rows = await listProviderSubscriptionsOf(database.db, userId);
  const current = findCurrentSubscription(rows, payments.name);
  const ledger = await listLedgerEntries(database.db, userId);
  const owed = current && findOwed(current, ledger, clock.now());
  return owed ? { id: current.provider_subscription_id, problem: current.problem, ...owed } : null;
}

const decline = (problem: string | null) =>
  new AppError(
    'payment_declined',
    problem === null ? {} : { message: `${problem} Update your card, then pay again.` },
  );

/**
 * Charges the card on file for a payment that failed, since not every provider tries again by itself.
 * The charge is recorded like a renewal, by this request, a webhook event or the hourly job.
 */
export async function payOwed(deps: Deps, viewer: Viewer): Promise<Subscription> {
  const { id: userId } = viewer.user;
  const { payments } = deps;
  return askProvider(deps, async () => {
    // It may have been paid, ended or charged again in the meantime.
    await reconcileSubscription(deps, userId);
    const owed = await readOwed(deps, userId);
    if (!owed) throw new AppError('nothing_owed');
    const { id: providerSubscriptionId, reference, plan, amount } = owed;
    let isRefused = false;
    try {
      await payments.payOwed({ providerSubscriptionId, reference, plan, amount });
    } catch (error) {
      if (!isRefusal(error)) throw error;
      isRefused = true;
    }
    await reconcileSubscription(deps, userId);
    const left = await readOwed(deps, userId);
    // With the same reference the bank hasn't decided yet.
    if (left && (isRefused || left.reference !== reference)) throw decline(left.problem);
    return getSubscription(deps, viewer);
  });
}

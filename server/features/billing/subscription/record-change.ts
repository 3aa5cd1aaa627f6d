import type { Plan } from '#contract/rules/plans.ts';
import type { Tx } from '../../../db/connect.ts';
import type { Deps } from '../../../deps.ts';
import { lockAccount } from '../account-lock.ts';
import { listProviderSubscriptionsOf, type ProviderSubscriptionRow } from '../queries.ts';
import { readAgreedPrices, type AgreedPrice } from './agreed-prices.ts';

type Change = {
  plan: Plan;
  /** What the user agrees to pay from now on. */
  agree: (prices: readonly AgreedPrice[]) => AgreedPrice[];
  /** For a change that concerns every subscription of the user, not only this one. */
  isForAll?: boolean;
};

/** Recorded before the provider is asked, so that its charge matches an agreed price. */
export async function recordAgreedPrice(
  tx: Tx,
  userId: string,
  current: ProviderSubscriptionRow,
  { plan, agree, isForAll = false }: Change,
): Promise<void> {
  await lockAccount(tx, userId);
  for (const row of await listProviderSubscriptionsOf(tx, userId)) {
    const isCurrent = row.id === current.id;
    if (!isCurrent && !(isForAll && row.provider === current.provider)) continue;
    await tx
      .updateTable('provider_subscriptions')
      .set({
        agreed_prices: JSON.stringify(agree(readAgreedPrices(row.agreed_prices))),
        // If this stops half-way, the next hourly job completes it.
        ...(isCurrent && { changing_to: plan, replaced_by: null, check_at: 0 }),
      })
      .where('id', '=', row.id)
      .execute();
  }
}

/**
 * Some providers answer with a new subscription that replaces the old one. From here on we know that
 * it belongs to this user, whatever the provider says about its customers.
 */
export async function recordReplacement(
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

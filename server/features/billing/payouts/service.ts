import type { Deps } from '../../../deps.ts';
import type { Payout } from '../../../ports/payments/payments.ts';
import { askProvider } from '../ask-provider.ts';

/** What the provider in use paid out from `from` until before `to`, oldest first. */
export async function listPayouts(
  deps: Deps,
  span: { from: number; to: number },
): Promise<Payout[]> {
  const payouts = await askProvider(deps, () => deps.payments.listPayouts(span));
  return payouts.toSorted((a, b) => a.at - b.at);
}

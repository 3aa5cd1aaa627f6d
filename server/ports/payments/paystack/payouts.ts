import { CURRENCY } from '#contract/rules/plans.ts';
import { DAY } from '#contract/rules/time.ts';
import type { Payout } from '../payments.ts';
import type { PaystackContext } from './context.ts';
import { Settlement } from './shapes.ts';

/** Paystack's range may mean the day a payout was created, some days before it is paid. */
const MARGIN_MS = 7 * DAY;

export async function listPayouts(
  { api }: PaystackContext,
  { from, to }: { from: number; to: number },
): Promise<Payout[]> {
  const range = {
    from: new Date(from - MARGIN_MS).toISOString(),
    to: new Date(to + MARGIN_MS).toISOString(),
  };
  const settlements = await api.list('/settlement', { ...range, subaccount: 'none' }, Settlement);
  return settlements
    .filter(({ status }) => status === 'success')
    .map((settlement) => ({
      id: String(settlement.id),
      at: settlement.settlement_date,
      amount: settlement.effective_amount ?? settlement.total_amount,
      fees: settlement.total_fees ?? null,
      currency: settlement.currency ?? CURRENCY,
    }))
    .filter(({ at }) => at >= from && at < to)
    .toSorted((a, b) => a.at - b.at);
}

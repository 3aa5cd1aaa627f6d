import type { Stripe } from 'stripe';
import { isRefusal, type Payout as OurPayout } from '../payments.ts';
import { listStripe } from './ask-stripe.ts';
import { BalanceTransaction, Page, Payout } from './shapes.ts';

/** Null for a payout made by hand, whose parts Stripe doesn't tell, or of more parts than we read. */
async function sumFees(stripe: Stripe, payout: string): Promise<number | null> {
  try {
    const parts = await listStripe(Page(BalanceTransaction), (page) =>
      stripe.balanceTransactions.list({ payout, ...page }),
    );
    return parts.reduce((sum, { fee }) => sum + fee, 0);
  } catch (error) {
    if (isRefusal(error)) return null;
    throw error;
  }
}

const LOST = new Set(['failed', 'canceled']);

export async function listPayouts(
  stripe: Stripe,
  { from, to }: { from: number; to: number },
): Promise<OurPayout[]> {
  const [gte, lt] = [Math.ceil(from / 1000), Math.ceil(to / 1000)];
  const found = await listStripe(Page(Payout), (page) =>
    stripe.payouts.list({ arrival_date: { gte, lt }, ...page }),
  );
  const payouts: OurPayout[] = [];
  for (const { id, amount, arrival_date: at, currency, status } of found)
    if (!LOST.has(status))
      payouts.push({
        id,
        at,
        amount,
        fees: await sumFees(stripe, id),
        currency: currency.toUpperCase(),
      });
  return payouts.toSorted((a, b) => a.at - b.at);
}

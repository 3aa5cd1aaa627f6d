import type { PayoutPayment } from '#contract/admin/books.ts';

/** What the provider says about a payout. */
type PaidOut = { at: number; amount: number };

/** What a payment adds to a payout; a fee that we don't know counts as none. */
export const netOf = ({ amount, fee }: Pick<PayoutPayment, 'amount' | 'fee'>): number =>
  amount - (fee ?? 0);

/** Where each sum of the first payments was reached last. */
type Sums = { totals: number[]; startsBySum: Map<number, number> };

/**
 * The end of a run from `start` on that adds up to the amount: the longest, because what was paid
 * and refunded on one day comes out together. Null if there is none.
 */
function findEnd({ totals }: Sums, start: number, until: number, amount: number): number | null {
  for (let end = until; end > start; end -= 1)
    if ((totals[end] ?? 0) - (totals[start] ?? 0) === amount) return end;
  return null;
}

/** The latest run that adds up to the amount, wherever it starts. */
function findRun(sums: Sums, first: number, until: number, amount: number) {
  for (let end = until; end > first; end -= 1) {
    const start = sums.startsBySum.get((sums.totals[end] ?? 0) - amount);
    if (start !== undefined && start >= first && start < end) return { start, end };
  }
  return null;
}

function sumUp(payments: readonly PayoutPayment[]): Sums {
  const totals = [0];
  for (const payment of payments) totals.push((totals.at(-1) ?? 0) + netOf(payment));
  return { totals, startsBySum: new Map(totals.map((total, index) => [total, index])) };
}

export type Match = {
  payments: readonly PayoutPayment[];
  /** What was paid out minus these payments. */
  difference: number;
};

/**
 * Which payments a payout consists of. Providers pay out in the order of time, so it is a run of
 * payments, refunds and card checks after those of the payout before. If none adds up to the cent,
 * it is everything since the payout before, with the difference. Both lists are in order.
 */
export function matchPayouts(
  payouts: readonly PaidOut[],
  payments: readonly PayoutPayment[],
): Match[] {
  const sums = sumUp(payments);
  let next = 0;
  return payouts.map(({ at, amount }) => {
    const later = payments.findIndex((payment) => payment.at >= at);
    const until = later === -1 ? payments.length : later;
    const end = findEnd(sums, next, until, amount);
    const run =
      end === null
        ? (findRun(sums, next, until, amount) ?? { start: next, end: Math.max(next, until) })
        : { start: next, end };
    next = run.end;
    const found = payments.slice(run.start, run.end);
    const explained = found.reduce((sum, payment) => sum + netOf(payment), 0);
    return { payments: found, difference: amount - explained };
  });
}

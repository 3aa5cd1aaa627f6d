import type { Plan } from '#contract/rules/plans.ts';
import { DAY } from '#contract/rules/time.ts';

/** A payment, without any detail that the model does not need. */
export type ModelPayment = {
  id: string;
  at: number;
  plan: Plan;
  providerSubscription: string;
  /** It was fully refunded or is disputed. */
  isReversed: boolean;
};
/** Free days before the first payment, or the months of a gift. */
export type FreePeriod = { at: number; days: number } | { at: number; months: number };

/** Payments of one subscription without a gap. */
type Chain = { providerSubscription: string; from: number; months: number };

const HALF_A_DAY = DAY / 2;

/** The given day of the month, or its last day, at the time of day of `hourOf`. */
function onDay(year: number, month: number, day: number, hourOf: number): number {
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return Date.UTC(year, month, Math.min(day, lastDay)) + (hourOf % DAY);
}

function monthsAfter(from: number, months: number): number {
  const date = new Date(from);
  return onDay(date.getUTCFullYear(), date.getUTCMonth() + months, date.getUTCDate(), from);
}

/**
 * The end of the paid time, computed in the simplest way: each payment counts from the end of the one
 * before, or from its own day if that has passed.
 */
export function modelPaidThrough(payments: readonly (ModelPayment | FreePeriod)[]): number | null {
  const sorted = payments
    .filter((payment) => !('isReversed' in payment && payment.isReversed))
    .toSorted((a, b) => a.at - b.at);
  let end: number | null = null;
  let chain: Chain | null = null;
  for (const payment of sorted) {
    const from: number = end !== null && end > payment.at ? end : payment.at;
    if (!('plan' in payment)) {
      end = 'days' in payment ? from + payment.days * DAY : monthsAfter(from, payment.months);
      chain = null;
      continue;
    }
    const months = payment.plan === 'annual' ? 12 : 1;
    const isInTime = end !== null && payment.at <= end + HALF_A_DAY;
    const before: Chain | null =
      isInTime && chain?.providerSubscription === payment.providerSubscription ? chain : null;
    const next: Chain = before
      ? { ...before, months: before.months + months }
      : { providerSubscription: payment.providerSubscription, from, months };
    chain = next;
    end = Math.max(monthsAfter(from, months), monthsAfter(next.from, next.months));
  }
  return end;
}

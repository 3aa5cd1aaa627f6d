import { DAY, HOUR } from '#contract/rules/time.ts';

/** Something that gives time: a payment, free days or a gift. */
export type ModelTime = {
  at: number;
  months?: number;
  days?: number;
  /** The subscription that it belongs to. */
  subscription: string | null;
  isPayment: boolean;
  /** It went back, or a bank holds it. */
  isReversed?: boolean;
};

/** A payment may come this late and still pay for its own period. */
const LATE = 10 * DAY;

/** The given day of the month, or its last day, at the time of day of `hourOf`. */
function onDay(year: number, month: number, day: number, hourOf: number): number {
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return Date.UTC(year, month, Math.min(day, lastDay)) + (hourOf % DAY);
}

/** Johannesburg is this far ahead of UTC all year. */
const AHEAD = 2 * HOUR;

function monthsAfter(from: number, months: number): number {
  const date = new Date(from + AHEAD);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth() + months];
  return onDay(year, month, date.getUTCDate(), from + AHEAD) - AHEAD;
}

type Anchor = { subscription: string | null; day: number; months: number };
type Walked = { end: number | null; ends: Map<ModelTime, number> };

/**
 * The end of the paid time, computed in the simplest way: each payment of a subscription continues its
 * months, everything else counts from the end of the one before, or from its own day if that has passed.
 * With `caps`, a payment after a gap ends no later than it did with the payments before it.
 */
function walk(times: readonly ModelTime[], caps?: ReadonlyMap<ModelTime, number>): Walked {
  const ends = new Map<ModelTime, number>();
  let end: number | null = null;
  let anchor: Anchor | null = null;
  let latest: string | null = null;
  for (const time of times.toSorted((a, b) => a.at - b.at)) {
    const { at, months = 0, days = 0, subscription, isPayment } = time;
    if (!isPayment && months + days === 0) {
      // A plan that was bought during paid time, whose first payment continues it.
      if (end !== null && end > at) anchor = { subscription, day: end, months: 0 };
      latest = anchor?.subscription ?? null;
      continue;
    }
    if (isPayment && anchor && subscription !== null && anchor.subscription === subscription) {
      const { day, months: before }: Anchor = anchor;
      let total: number = before + months;
      while (monthsAfter(day, total) < monthsAfter(at, months) - LATE) total += 1;
      const own = monthsAfter(day, total);
      const cap = total > before + months ? (caps?.get(time) ?? own) : own;
      end = Math.min(own, cap);
      anchor =
        end === own ? { subscription, day, months: total } : { subscription, day: end, months: 0 };
    } else {
      const from: number = end !== null && end > at ? end : at;
      const own = monthsAfter(from, months) + days * DAY;
      const cap = isPayment && from === at ? (caps?.get(time) ?? own) : own;
      end = Math.min(own, cap);
      anchor =
        isPayment && subscription !== null && end === own
          ? { subscription, day: from, months }
          : { subscription: subscription ?? latest, day: end, months: 0 };
    }
    latest = anchor.subscription;
    ends.set(time, end);
  }
  return { end, ends };
}

/**
 * The earliest and the latest correct end. They differ by days after a refund of an earlier payment: a
 * later one that came late keeps its day if it was recorded before the refund.
 */
export function modelPaidThrough(times: readonly ModelTime[]): (number | null)[] {
  const kept = times.filter(({ isReversed }) => !isReversed);
  return [walk(kept).end, walk(kept, walk(times).ends).end];
}

import type { Plan } from '#contract/rules/plans.ts';
import { DAY } from '#contract/rules/time.ts';

/** A payment as a person would note it down. */
export type Note = {
  id: string;
  at: number;
  plan: Plan;
  providerSubscription: string;
  /** All of it went back, or the bank holds it. */
  isGone: boolean;
};
/** Days before the first payment, or months that somebody gave. */
export type Given = { at: number; days: number } | { at: number; months: number };

/** Payments of one subscription without a gap. */
type Row = { providerSubscription: string; from: number; months: number };

const HALF_A_DAY = DAY / 2;

/** The given day of the month, or its last one, at the hour of another time. */
function onDay(year: number, month: number, day: number, hourOf: number): number {
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return Date.UTC(year, month, Math.min(day, lastDay)) + (hourOf % DAY);
}

function monthsAfter(from: number, months: number): number {
  const date = new Date(from);
  return onDay(date.getUTCFullYear(), date.getUTCMonth() + months, date.getUTCDate(), from);
}

/**
 * To when a person with pencil and paper says somebody has paid: line by line, each payment goes on
 * from the end of the one before, or from its own day when that has passed.
 */
export function payModel(notes: readonly (Note | Given)[]): number | null {
  const lines = notes
    .filter((note) => !('isGone' in note && note.isGone))
    .toSorted((a, b) => a.at - b.at);
  let end: number | null = null;
  let row: Row | null = null;
  for (const line of lines) {
    const from: number = end !== null && end > line.at ? end : line.at;
    if (!('plan' in line)) {
      end = 'days' in line ? from + line.days * DAY : monthsAfter(from, line.months);
      row = null;
      continue;
    }
    const months = line.plan === 'annual' ? 12 : 1;
    const isInTime = end !== null && line.at <= end + HALF_A_DAY;
    const before: Row | null =
      isInTime && row?.providerSubscription === line.providerSubscription ? row : null;
    const next: Row = before
      ? { ...before, months: before.months + months }
      : { providerSubscription: line.providerSubscription, from, months };
    row = next;
    end = Math.max(monthsAfter(from, months), monthsAfter(next.from, next.months));
  }
  return end;
}

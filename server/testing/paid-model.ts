import type { Plan } from '#contract/rules/plans.ts';

/** A payment as a person would note it down. */
export type Note = {
  id: string;
  at: number;
  plan: Plan;
  agreement: string;
  /** All of it went back, or the bank holds it. */
  isGone: boolean;
};

/** Payments of one agreement without a gap. */
type Row = { agreement: string; from: number; months: number };

const HALF_A_DAY = 12 * 60 * 60 * 1000;

/** The given day of the month, or its last one, at the hour of another time. */
function onDay(year: number, month: number, day: number, hourOf: number): number {
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  const hour = hourOf % (24 * 60 * 60 * 1000);
  return Date.UTC(year, month, Math.min(day, lastDay)) + hour;
}

/**
 * To when a person with pencil and paper says somebody has paid: line by line, each payment goes on
 * from the end of the one before, or from its own day when that has passed.
 */
export function payModel(notes: readonly Note[]): number | null {
  const lines = notes.filter((note) => !note.isGone).toSorted((a, b) => a.at - b.at);
  let end: number | null = null;
  let first: Row | null = null;
  for (const { at, plan, agreement } of lines) {
    const months = plan === 'annual' ? 12 : 1;
    const row: Row | null = first;
    const goesOn =
      row !== null && end !== null && row.agreement === agreement && at <= end + HALF_A_DAY;
    const from: number = end !== null && end > at ? end : at;
    const single = new Date(from);
    const alone: number = onDay(
      single.getUTCFullYear(),
      single.getUTCMonth() + months,
      single.getUTCDate(),
      from,
    );
    const next: Row =
      goesOn && row ? { ...row, months: row.months + months } : { agreement, from, months };
    first = next;
    const begun = new Date(next.from);
    const together = onDay(
      begun.getUTCFullYear(),
      begun.getUTCMonth() + next.months,
      begun.getUTCDate(),
      next.from,
    );
    end = Math.max(alone, together);
  }
  return end;
}

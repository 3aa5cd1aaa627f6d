import {
  addDays,
  addMonths,
  countDays,
  isDay,
  MAX_DAYS,
  monthOf,
  type DayRange,
} from '../rules/report-days.ts';

/** How the books can be divided: months, tax periods of the VAT201, financial years, or any days. */
const PERIOD_KINDS = ['month', 'vat', 'year', 'range'] as const;
export type PeriodKind = (typeof PERIOD_KINDS)[number];

export type BookYear = {
  /** A ends in odd months, B in even ones, C is every month. */
  vatCategory: 'A' | 'B' | 'C';
  /** The last month of the financial year: 2 for February. */
  yearEndMonth: number;
};

const MONTH = /^20\d{2}-(?:0[1-9]|1[0-2])$/;
const RANGE = /^(20\d{2}-\d{2}-\d{2})_(20\d{2}-\d{2}-\d{2})$/;

const lastDayOf = (month: string): string => addDays(addMonths(`${month}-01`, 1), -1);

const spanMonths = (first: string, last: string): DayRange => ({
  from: `${first}-01`,
  to: lastDayOf(last),
});

/** `2026-11` for a month, `2026-10-15_2026-11-14` for other days. */
export function formatPeriod({ from, to }: DayRange): string {
  const month = monthOf(from);
  return from === `${month}-01` && to === lastDayOf(month) ? month : `${from}_${to}`;
}

/** A sentence about what is wrong with a period, or null. */
export function findPeriodProblem(text: string): string | null {
  if (MONTH.test(text)) return null;
  const [, from, to] = RANGE.exec(text) ?? [];
  if (!from || !to || !isDay(from) || !isDay(to))
    return 'Enter a month or two days from 2000 to 2099.';
  if (from > to) return 'The period ends before it begins.';
  if (countDays({ from, to }) > MAX_DAYS) return 'Choose a period of up to three years.';
  return null;
}

/** Call it only if `findPeriodProblem` finds nothing. */
export function parsePeriod(text: string): DayRange {
  if (MONTH.test(text)) return spanMonths(text, text);
  const [from = '', to = ''] = text.split('_');
  return { from, to };
}

/** The months of each period, and how many months after January the first one begins. */
function findCycle(kind: Exclude<PeriodKind, 'range'>, { vatCategory, yearEndMonth }: BookYear) {
  if (kind === 'year') return { length: 12, offset: yearEndMonth % 12 };
  if (kind === 'month' || vatCategory === 'C') return { length: 1, offset: 0 };
  // January and February are the first whole period of category B; A begins with February.
  return { length: 2, offset: vatCategory === 'A' ? 1 : 0 };
}

/** The period that a month belongs to. */
export function findPeriod(
  kind: Exclude<PeriodKind, 'range'>,
  month: string,
  year: BookYear,
): DayRange {
  const { length, offset } = findCycle(kind, year);
  const index = Number(month.slice(5)) - 1;
  const after = (index - offset + 12) % length;
  const first = monthOf(addMonths(`${month}-01`, -after));
  return spanMonths(first, monthOf(addMonths(`${first}-01`, length - 1)));
}

/** Every period with one of these months, in their order. */
export function listPeriods(
  kind: Exclude<PeriodKind, 'range'>,
  months: readonly string[],
  year: BookYear,
): string[] {
  return [...new Set(months.map((month) => formatPeriod(findPeriod(kind, month, year))))];
}

import { z } from 'zod';
import { PageQuery, pageOf } from '../paging.ts';
import { defineRoutes } from '../route.ts';
import { addDays, addMonths, countDays, monthOf, type DayRange } from '../rules/report-days.ts';
import { line } from '../rules/text-fields.ts';
import { findPeriodProblem, formatPeriod, parsePeriod } from './book-periods.ts';

/** Who a report is for, which decides its columns: `server/features/usage-reports/layouts.ts`. */
export const REPORT_LAYOUTS = ['general', 'capasso', 'samro'] as const;
export type ReportLayout = (typeof REPORT_LAYOUTS)[number];

export const layoutNames: Record<ReportLayout, string> = {
  general: 'General CSV',
  capasso: 'CAPASSO',
  samro: 'SAMRO',
};

/** Whole months of the calendar. */
export const REPORT_PERIODS = { month: 1, quarter: 3, year: 12 } as const;

/** Every whole month, quarter or year with one of these days that ends within them, newest first. */
export function listReportPeriods(
  kind: keyof typeof REPORT_PERIODS,
  { from, to }: DayRange,
): string[] {
  const length = REPORT_PERIODS[kind];
  const before = (Number(from.slice(5, 7)) - 1) % length;
  const periods: string[] = [];
  let first = addMonths(`${monthOf(from)}-01`, -before);
  for (;;) {
    const next = addMonths(first, length);
    const last = addDays(next, -1);
    if (last > to) return periods.toReversed();
    periods.push(formatPeriod({ from: first, to: last }));
    first = next;
  }
}

const MAX_REPORT_DAYS = 366;

/** A sentence about why there is no report of a period, or null. `lastDay` is the last that is added up. */
export function findReportProblem(
  period: string,
  { today, lastDay }: { today: string; lastDay: string | null },
): string | null {
  const problem = findPeriodProblem(period);
  if (problem !== null) return problem;
  const range = parsePeriod(period);
  if (countDays(range) > MAX_REPORT_DAYS) return 'Choose a period of up to a year.';
  if (range.from > today) return 'This period is in the future. Choose one that is over.';
  if (range.to >= today) return 'This period isn’t over yet. Choose one that is.';
  if (lastDay === null || range.to > lastDay)
    return 'The listening of this period isn’t added up yet. That happens two nights after its last day.';
  return null;
}

const cents = z.int();
const count = z.int().min(0);

const Heard = z.object({ plays: count, seconds: count });

/** How a mix was listened to. Plays of music apps and podcast apps are estimates. */
export const HEARD_KINDS = ['full', 'preview', 'subsonic', 'podcast'] as const;
export type HeardKind = (typeof HEARD_KINDS)[number];

const HeardByKind = z.object({ full: Heard, preview: Heard, subsonic: Heard, podcast: Heard });

const UsageTotals = z.object({
  tracks: count,
  entries: count,
  /** Plays of mixes, and all that was heard of them. */
  heard: HeardByKind,
  /** Seconds of these that belong to no entry: before the first one, or nobody knows where. */
  outside: count,
});
export type UsageTotals = z.infer<typeof UsageTotals>;

/** What a report lacks, or what its reader should know. */
export const USAGE_GAPS = [
  'no-tracklist',
  'time',
  'artist',
  'composer',
  'publisher',
  'label',
  'isrc',
  'repeated-isrc',
  'replaced',
  'unplaced',
  'estimates',
] as const;
export type UsageGap = (typeof USAGE_GAPS)[number];

const GapTrack = z.object({
  id: z.string(),
  title: z.string(),
  weekNumber: z.int(),
  year: z.int(),
  /** Entries; seconds where listening is the matter. */
  count,
  /** How many of these are in the tracklist of audio that has been replaced, which nobody can edit. */
  past: count,
  isDeleted: z.boolean(),
});

/** How many mixes of a gap the page lists. */
export const GAP_TRACKS_SHOWN = 50;

/** What a report of a period would say, and what it would lack. */
export const UsageOutlook = z.object({
  from: z.string(),
  to: z.string(),
  totals: UsageTotals.pick({ tracks: true, entries: true, heard: true }),
  gaps: z.array(
    z.object({
      gap: z.enum(USAGE_GAPS),
      /** Entries, mixes or seconds, as in its mixes. */
      count,
      trackCount: count,
      tracks: z.array(GapTrack),
    }),
  ),
  territory: z.string(),
  currency: z.string(),
  /** From the books, without VAT: sales minus refunds is the revenue. */
  revenue: z.object({ calculated: cents, sales: cents, refunds: cents }),
});
export type UsageOutlook = z.infer<typeof UsageOutlook>;

export const UsageReport = z.object({
  id: z.string(),
  number: z.int(),
  from: z.string(),
  to: z.string(),
  layout: z.enum(REPORT_LAYOUTS),
  state: z.enum(['making', 'ready', 'failed']),
  madeAt: z.int(),
  /** Null once the account is deleted. */
  madeBy: z.string().nullable(),
  territory: z.string(),
  currency: z.string(),
  revenue: z.object({ calculated: cents, confirmed: cents }),
  /** These are null until it is ready. */
  totals: UsageTotals.nullable(),
  sha256: z.string().nullable(),
  size: count.nullable(),
  /** The number of the last report of the same period and layout before it. */
  previous: z.int().nullable(),
});
export type UsageReport = z.infer<typeof UsageReport>;

const UsageChange = z.object({
  change: z.enum(['added', 'removed', 'changed']),
  track: z.string(),
  title: z.string(),
  /** The column that changed; empty for a whole line. */
  column: z.string(),
  before: z.string(),
  after: z.string(),
});
export type UsageChange = z.infer<typeof UsageChange>;

/** How many changes the page lists; the file has all of them. */
export const CHANGES_SHOWN = 30;

const Changes = z.object({
  added: count,
  removed: count,
  changed: count,
  items: z.array(UsageChange),
});
export type UsageChanges = z.infer<typeof Changes>;

const Period = z.string().superRefine((text, context) => {
  const message = findPeriodProblem(text);
  if (message !== null) context.addIssue({ code: 'custom', message });
});
const Layout = z.enum(REPORT_LAYOUTS, { error: 'Choose a layout.' });

export const UsageReportForm = z.strictObject({
  /** Chosen once for each form, so that sending it twice makes one report. */
  request: z.string().regex(/^[\w-]{16,64}$/),
  period: Period,
  layout: Layout,
  territory: line(80).min(1, 'Enter the territory.'),
  /** Cents, as the operator confirms or corrects it. */
  revenue: z
    .int('Enter an amount such as 1234.50, without commas between thousands.')
    .min(0, 'The revenue can’t be below zero.')
    .max(1_000_000_000_00, 'That is more than a report can state.'),
});
export type UsageReportForm = z.output<typeof UsageReportForm>;

const params = z.object({ id: z.string().regex(/^[\w-]{1,64}$/) });
const errors = ['unauthenticated', 'not_found'] as const;

export const usageReportRoutes = defineRoutes({
  'GET /api/admin/rights/reports': {
    summary: 'Reports of what was played, newest first.',
    query: PageQuery,
    response: pageOf(UsageReport),
    errors,
  },
  'GET /api/admin/rights/periods': {
    summary: 'The days of which a report of what was played can be made.',
    response: z.object({
      today: z.string(),
      /** Null if nothing has been heard yet. */
      firstDay: z.string().nullable(),
      lastDay: z.string().nullable(),
    }),
    errors,
  },
  'GET /api/admin/rights/outlook': {
    summary: 'What a report of a period would say, and what it would lack.',
    query: z.strictObject({ period: Period }),
    response: UsageOutlook,
    errors,
  },
  'POST /api/admin/rights/reports': {
    summary: 'Make a report of what was played in a period that is over.',
    body: UsageReportForm,
    response: UsageReport,
    errors: [...errors, 'disk_full'],
  },
  'GET /api/admin/rights/reports/:id': {
    summary: 'A report, with what changed since the last one of its period and layout.',
    params,
    response: UsageReport.extend({
      /** Null without an earlier report, and where what is kept of one of them can't be read. */
      changes: Changes.nullable(),
    }),
    errors,
  },
  'POST /api/admin/rights/reports/:id/again': {
    summary: 'Make the file of a report again from what is kept of it, and compare both.',
    params,
    response: z.object({ sha256: z.string(), isSame: z.boolean() }),
    errors,
  },
  'GET /api/admin/rights/reports/:id/report.csv': {
    summary: 'The file of a report.',
    params,
    response: 'file',
    errors,
  },
  'GET /api/admin/rights/reports/:id/changes.csv': {
    summary: 'What changed since the last report of the same period and layout, as CSV.',
    params,
    response: 'file',
    errors,
  },
});

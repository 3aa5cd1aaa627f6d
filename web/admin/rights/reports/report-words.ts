import { formatPeriod } from '#contract/admin/book-periods.ts';
import type { HeardKind, UsageGap, UsageReport } from '#contract/admin/usage-reports.ts';
import { addDays, type DayRange } from '#contract/rules/report-days.ts';
import { formatCount, formatMonth, formatNumber, formatShortDate } from '#web/lib/format/format.ts';

export const LEAD =
  'What was played, for collecting societies. This is a tool and not a licence: which rights you need, and what a society wants to know, only the society can say.';

/** `Jul 2026`, `Jul 2026 to Sep 2026`, `15 Oct 2026 to 14 Nov 2026`. */
export function describeDays({ from, to }: DayRange): string {
  if (!formatPeriod({ from, to }).includes('_')) return formatMonth(from);
  const isWhole = from.endsWith('-01') && addDays(to, 1).endsWith('-01');
  const format = isWhole ? formatMonth : formatShortDate;
  return `${format(from)} to ${format(to)}`;
}

export const STATES: Record<UsageReport['state'], string> = {
  making: 'Being made',
  ready: 'Ready',
  failed: 'Failed',
};

/** `3 h 25 min`. */
export function describeSeconds(seconds: number): string {
  const minutes = Math.round(seconds / 60);
  if (minutes === 0) return `${seconds} s`;
  const hours = Math.floor(minutes / 60);
  return hours === 0 ? `${minutes} min` : `${formatNumber(hours)} h ${minutes % 60} min`;
}

export const kindNames: Record<HeardKind, string> = {
  full: 'Full plays',
  preview: 'Previews',
  subsonic: 'Music apps (estimate)',
  podcast: 'Podcasts (estimate)',
};

type GapWords = {
  title: string;
  /** What it means for the report. */
  text: string;
  count: (count: number) => string;
};

const entries = (count: number) => formatCount(count, 'entry', 'entries');
const lacks = (what: string): GapWords => ({
  title: `No ${what}`,
  text: 'The cell stays empty.',
  count: entries,
});

export const gapWords: Record<UsageGap, GapWords> = {
  'no-tracklist': {
    title: 'Mixes without a tracklist',
    text: 'The report has one line for the whole mix, without a title.',
    count: (count) => formatCount(count, 'mix', 'mixes'),
  },
  time: {
    title: 'Entries without a time',
    text: 'How often they were played is unknown, and that of the entry before, too. Both stay empty.',
    count: entries,
  },
  artist: lacks('performer'),
  composer: lacks('composer'),
  publisher: lacks('publisher'),
  label: lacks('label'),
  isrc: lacks('ISRC'),
  'repeated-isrc': {
    title: 'ISRCs that several recordings have',
    text: 'An ISRC names one recording: one of them is wrong, or they are the same. Each is reported as it is.',
    count: entries,
  },
  replaced: {
    title: 'Mixes whose audio was replaced',
    text: 'Plays before that are reported with the tracklist of that time.',
    count: (count) => formatCount(count, 'mix', 'mixes'),
  },
  unplaced: {
    title: 'Heard, but nobody knows where in the mix',
    text: 'It belongs to no entry. The general layout has a line for it.',
    count: describeSeconds,
  },
  estimates: {
    title: 'Plays that are estimates',
    text: 'Music apps report plays themselves, and of a podcast only requests for its file are known. They have columns of their own.',
    count: (count) => formatCount(count, 'play'),
  },
};

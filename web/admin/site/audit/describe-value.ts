import type { AuditEntry } from '#contract/admin/audit.ts';
import { LETTER_AUDIENCES } from '#contract/letters.ts';
import { WEEKDAYS } from '#contract/admin/release-time.ts';
import { AUDIENCES } from '#web/admin/letters/letter-words.ts';
import { formatDuration } from '#contract/rules/time.ts';
import { CURRENCY } from '#contract/rules/plans.ts';
import {
  formatCount,
  formatDateTime,
  formatLongMonth,
  formatMoney,
} from '#web/lib/format/format.ts';

type Field = {
  /** As it reads inside a sentence. */
  label: string;
  /** The stored text, for people. */
  describe?: (value: string) => string;
};

const quote = (text: string): string => `“${text}”`;
const money = (value: string) => formatMoney(Number(value), CURRENCY);
const count = (unit: string) => (value: string) => formatCount(Number(value), unit);

/** Entries of earlier versions have the tracklist as JSON, shortened if it was long. */
function describeTracklist(value: string): string {
  if (!value.startsWith('[')) return value;
  const tracks = formatCount(value.split('"at":').length - 1, 'track');
  return value.endsWith('…') ? `more than ${tracks}` : tracks;
}

const FIELDS: Record<string, Field> = {
  title: { label: 'title', describe: quote },
  artists: { label: 'artists', describe: quote },
  name: { label: 'name', describe: quote },
  audience: {
    label: 'audience',
    describe: (text) => {
      const audience = LETTER_AUDIENCES.find((each) => each === text);
      return audience === 'everyone' || !audience ? text : AUDIENCES[audience].many;
    },
  },
  merged: { label: 'merged artist', describe: quote },
  about: { label: 'text about the artist', describe: quote },
  picture: { label: 'picture', describe: () => 'an uploaded picture' },
  genre: { label: 'genre', describe: quote },
  series: { label: 'series', describe: quote },
  description: { label: 'description', describe: quote },
  bpm: { label: 'BPM' },
  subscribersOnly: { label: 'subscribers-only setting' },
  previewStart: { label: 'start of the preview', describe: (at) => formatDuration(Number(at)) },
  cover: { label: 'cover', describe: () => 'an uploaded picture' },
  isAdmin: { label: 'administrator' },
  isHelper: { label: 'helper' },
  isImmediate: { label: 'immediately' },
  amount: { label: 'amount', describe: money },
  siteName: { label: 'site name', describe: quote },
  monthlyPrice: { label: 'monthly price', describe: money },
  annualPrice: { label: 'annual price', describe: money },
  revenue: { label: 'revenue', describe: money },
  dataPrice: { label: 'price of mobile data', describe: money },
  trialDays: { label: 'free trial', describe: count('day') },
  graceDays: { label: 'grace period', describe: count('day') },
  streamsPerAccount: { label: 'devices at a time' },
  releaseDay: { label: 'release day', describe: (day) => WEEKDAYS[Number(day)] ?? day },
  releaseHour: { label: 'release hour', describe: (hour) => `${hour.padStart(2, '0')}:00` },
  earlyAccessHours: { label: 'early access', describe: count('hour') },
  areMomentsOn: { label: 'moments' },
  forbiddenWords: { label: 'words that nobody can use' },
  clipSeconds: { label: 'clips of a mix', describe: count('second') },
  start: { label: 'start', describe: (at) => formatDuration(Number(at)) },
  seconds: { label: 'length', describe: count('second') },
  noticeDays: { label: 'notice', describe: count('day') },
  closedUntil: {
    label: 'closed until',
    describe: (month) => formatLongMonth(`${month}-01`),
  },
  vatRates: { label: 'VAT rates' },
  vatRateName: { label: 'name of the VAT rate' },
  eventsDays: { label: 'time that events are kept', describe: count('day') },
};

/** `subscribersOnly` becomes "subscribers only". */
const toWords = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

export function describeValue(field: string, value: string): string {
  if (/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value)) return formatDateTime(Date.parse(value));
  const describe = FIELDS[field]?.describe;
  if (describe) return describe(value);
  if (value === 'true') return 'on';
  return value === 'false' ? 'off' : value;
}

export type Difference = {
  field: string;
  label: string;
  before: string | null;
  after: string | null;
};

const CONTEXT = 24;

/** Long texts are reduced to the part that differs, with a little of what surrounds it. */
export function shortenPair(before: string, after: string, max: number): [string, string] {
  if (Math.max(before.length, after.length) <= max) return [before, after];
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  const cut = (text: string) => {
    const [from, to] = [Math.max(0, start - CONTEXT), Math.max(start, text.length - end) + CONTEXT];
    const part = text.slice(from, Math.min(to, from + max));
    return `${from > 0 ? '…' : ''}${part}${from + part.length < text.length ? '…' : ''}`;
  };
  return [cut(before), cut(after)];
}

/** A tracklist has many lines, and the page shows four of them. */
const maxOf = (field: string): number => (field === 'tracklist' ? 300 : 90);

export function describeDifference({
  field,
  before,
  after,
}: AuditEntry['changes'][number]): Difference {
  const label = FIELDS[field]?.label ?? toWords(field);
  const read = (value: string | null) =>
    field === 'tracklist' ? describeTracklist(value ?? '') : (value ?? '');
  const [was, is] = shortenPair(read(before), read(after), maxOf(field));
  return {
    field,
    label,
    before: before === null ? null : describeValue(field, was),
    after: after === null ? null : describeValue(field, is),
  };
}

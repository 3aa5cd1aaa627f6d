import type { DateOrder } from '#contract/admin/member-imports.ts';
import { parseZoned } from '#contract/rules/zoned-time.ts';

const ISO =
  /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ](\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?\s*(Z|UTC|[+-]\d{2}:?\d{2})?)?$/i;
const NUMBERS = /^(\d{1,2})([./-])(\d{1,2})\2(\d{4})(?:[ T]+(\d{1,2}):(\d{2})(?::\d{2})?)?$/;
const WORDS = /^(?=.*\b\d{4}\b)(?=.*[a-z]{3})[\w ,.:+-]+$/i;

type DateContext = { order: DateOrder; timeZone: string };

const isDay = (year: number, month: number, day: number): boolean =>
  month >= 1 &&
  month <= 12 &&
  day >= 1 &&
  new Date(Date.UTC(year, month - 1, day)).getUTCDate() === day;

const pad = (number: number) => String(number).padStart(2, '0');

const SECOND = 1000;

/** A day without a time lasts until its end, where the site is. */
function endOfDay(year: number, month: number, day: number, timeZone: string): number | null {
  const next = new Date(Date.UTC(year, month - 1, day + 1)).toISOString().slice(0, 10);
  const midnight = parseZoned(`${next}T00:00`, timeZone);
  return midnight && midnight - SECOND;
}

function readIso(match: RegExpExecArray, { timeZone }: DateContext): number | null {
  const [year, month, day] = match.slice(1, 4).map(Number) as [number, number, number];
  if (!isDay(year, month, day)) return null;
  const [, , , , hour, minute, second = '00', zone = 'Z'] = match;
  if (hour === undefined || minute === undefined) return endOfDay(year, month, day, timeZone);
  const offset = /^[zu]/i.test(zone) ? 'Z' : zone.replace(/^(.{3})(\d\d)$/, '$1:$2');
  const [fraction = ''] = /\.\d{1,3}/.exec(match[0]) ?? [];
  const text = `${year}-${pad(month)}-${pad(day)}T${hour.padStart(2, '0')}:${minute}:${second}${fraction}${offset}`;
  const at = Date.parse(text);
  return Number.isNaN(at) ? null : at;
}

function readNumbers(match: RegExpExecArray, { order, timeZone }: DateContext): number | null {
  const [, first = '', separator, second = '', yearText = '', hour, minute] = match;
  // Only with slashes is there any doubt: nobody writes the month before a dot.
  const isDayFirst = separator !== '/' || order === 'day-first';
  const [day, month] = isDayFirst
    ? [Number(first), Number(second)]
    : [Number(second), Number(first)];
  const year = Number(yearText);
  if (!isDay(year, month, day)) return null;
  if (hour === undefined || minute === undefined) return endOfDay(year, month, day, timeZone);
  const at = Date.parse(`${year}-${pad(month)}-${pad(day)}T${hour.padStart(2, '0')}:${minute}:00Z`);
  return Number.isNaN(at) ? null : at;
}

function readWords(text: string, { timeZone }: DateContext): number | null {
  const at = Date.parse(/\d:\d/.test(text) ? text : `${text} UTC`);
  if (Number.isNaN(at)) return null;
  if (/\d:\d/.test(text)) return at;
  const day = new Date(at);
  return endOfDay(day.getUTCFullYear(), day.getUTCMonth() + 1, day.getUTCDate(), timeZone);
}

/** Null when it isn't a date. A time without a zone is UTC, which is what Patreon and Ghost write. */
export function parseDate(cell: string, context: DateContext): number | null {
  const text = cell.trim();
  const iso = ISO.exec(text);
  if (iso) return readIso(iso, context);
  const numbers = NUMBERS.exec(text);
  if (numbers) return readNumbers(numbers, context);
  return WORDS.test(text) ? readWords(text, context) : null;
}

const SLASHES = /^(\d{1,2})\/(\d{1,2})\/\d{4}\b/;

/**
 * How a file writes dates with slashes: a number above twelve tells. `isCertain` is false if every one
 * of them could be read both ways; null without any.
 */
export function findDateOrder(
  cells: Iterable<string>,
): { order: DateOrder; isCertain: boolean } | null {
  let hasAny = false;
  for (const cell of cells) {
    const [, first, second] = SLASHES.exec(cell.trim()) ?? [];
    if (first === undefined) continue;
    hasAny = true;
    if (Number(first) > 12) return { order: 'day-first', isCertain: true };
    if (Number(second) > 12) return { order: 'month-first', isCertain: true };
  }
  return hasAny ? { order: 'day-first', isCertain: false } : null;
}

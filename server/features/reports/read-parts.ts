import { setImmediate } from 'node:timers/promises';
import { addDays, type DayRange } from '#contract/rules/report-days.ts';

/** Read at once: a few milliseconds of an in-process database, during which nobody else is answered. */
const PART = 1000;

/**
 * Everything of a long list, part by part. Between two parts whoever else asked is answered: the
 * database of this process does not do that by itself.
 */
export async function readParts<Row>(
  readPart: (after: Row | null, limit: number) => Promise<Row[]>,
  take: (row: Row) => void,
): Promise<void> {
  let last: Row | null = null;
  for (;;) {
    const rows: Row[] = await readPart(last, PART);
    for (const row of rows) take(row);
    const next = rows.at(-1);
    if (next === undefined || rows.length < PART) return;
    last = next;
    await setImmediate();
  }
}

/** The first of a long list that are wanted, looked for part by part. */
export async function fillPage<Row>(
  readPart: (after: Row | null, limit: number) => Promise<Row[]>,
  isWanted: (row: Row) => boolean,
  limit: number,
): Promise<Row[]> {
  const found: Row[] = [];
  // Most are wanted: a first page takes no more than it shows.
  for (let last: Row | null = null, size = limit; ; size = PART) {
    const rows: Row[] = await readPart(last, size);
    found.push(...rows.filter(isWanted));
    if (found.length >= limit || rows.length < size) return found.slice(0, limit);
    last = rows.at(-1) ?? null;
    await setImmediate();
  }
}

/** The same for a number that is added up over days: so many of them at once. */
export async function forEachStretch(
  { from, to }: DayRange,
  days: number,
  work: (part: DayRange) => Promise<void>,
): Promise<void> {
  for (let start = from; start <= to; start = addDays(start, days)) {
    const end = addDays(start, days - 1);
    await work({ from: start, to: end < to ? end : to });
    await setImmediate();
  }
}

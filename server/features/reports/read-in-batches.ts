import { setImmediate } from 'node:timers/promises';
import { type DayRange, addDays } from '#contract/rules/report-days.ts';

/** About this many rows keep an in-process database busy for a few milliseconds. */
const BATCH_SIZE = 1000;

/**
 * Reads a long list in batches. SQLite runs in this process, so other requests only get an answer
 * in the pauses between two batches.
 */
export async function forEachRow<Row>(
  readBatch: (after: Row | null, limit: number) => Promise<Row[]>,
  onRow: (row: Row) => void,
): Promise<void> {
  let last: Row | null = null;
  for (;;) {
    const rows: Row[] = await readBatch(last, BATCH_SIZE);
    for (const row of rows) onRow(row);
    const next = rows.at(-1);
    if (next === undefined || rows.length < BATCH_SIZE) return;
    last = next;
    await setImmediate();
  }
}

/** The first matching rows of a long list, read in batches. */
export async function fillPage<Row>(
  readBatch: (after: Row | null, limit: number) => Promise<Row[]>,
  matches: (row: Row) => boolean,
  limit: number,
): Promise<Row[]> {
  const found: Row[] = [];
  // Most rows match, so the first batch is no larger than the page.
  for (let last: Row | null = null, size = limit; ; size = BATCH_SIZE) {
    const rows: Row[] = await readBatch(last, size);
    found.push(...rows.filter(matches));
    if (found.length >= limit || rows.length < size) return found.slice(0, limit);
    last = rows.at(-1) ?? null;
    await setImmediate();
  }
}

/** Splits a long range into shorter ones, for sums that read many rows per day. */
export async function forEachDayRange(
  { from, to }: DayRange,
  days: number,
  onRange: (part: DayRange) => Promise<void>,
): Promise<void> {
  for (let start = from; start <= to; start = addDays(start, days)) {
    const end = addDays(start, days - 1);
    await onRange({ from: start, to: end < to ? end : to });
    await setImmediate();
  }
}

import { setImmediate } from 'node:timers/promises';

/** Read at once: a few milliseconds of an in-process database, during which nobody else is answered. */
const PART = 2000;

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

/** The same for work that is already in parts. */
export async function forEachPart<T>(
  parts: readonly T[],
  work: (part: T) => Promise<void>,
): Promise<void> {
  for (const part of parts) {
    await work(part);
    await setImmediate();
  }
}

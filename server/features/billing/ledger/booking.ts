import { sql } from 'kysely';
import { dayOf } from '#contract/rules/days.ts';
import { addMonths, monthOf } from '#contract/rules/report-days.ts';
import type { Db, Tx } from '../../../db/connect.ts';

export type BookingContext = { now: number; timeZone: string };

/** The books while something is written into them. */
export type Books = BookingContext & {
  /** The first calendar day that isn't closed; empty if no month is. */
  firstOpenDay: string;
};

/** The counter with the last closed month, such as 202610. Whoever books something locks it. */
const CLOSED = 'books-closed';

/** 202610 for `2026-10`. */
const toNumber = (month: string): number => Number(month.replace('-', ''));
const toMonth = (value: number): string | null =>
  value === 0 ? null : `${String(value).slice(0, 4)}-${String(value).slice(4)}`;

/** The last month that is closed, with all before it; null if none is. */
export async function findClosedMonth(db: Db): Promise<string | null> {
  const row = await db
    .selectFrom('counters')
    .select('value')
    .where('name', '=', CLOSED)
    .executeTakeFirst();
  return toMonth(row?.value ?? 0);
}

/** Until the end of the transaction nobody else books anything or closes a month. */
export async function lockClosedMonth(tx: Tx): Promise<string | null> {
  const row = await tx
    .insertInto('counters')
    .values({ name: CLOSED, value: 0 })
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet({ value: sql<number>`counters.value` }),
    )
    .returning('value')
    .executeTakeFirstOrThrow();
  return toMonth(row.value);
}

/** In a transaction that has locked it. */
export async function setClosedMonth(tx: Tx, month: string): Promise<void> {
  await tx
    .updateTable('counters')
    .set({ value: toNumber(month) })
    .where('name', '=', CLOSED)
    .execute();
}

export const addToMonth = (month: string, months: number): string =>
  monthOf(addMonths(`${month}-01`, months));

/** Waits for others who book: their documents come first. */
export async function openBooks(tx: Tx, context: BookingContext): Promise<Books> {
  const closed = await lockClosedMonth(tx);
  return { ...context, firstOpenDay: closed === null ? '' : `${addToMonth(closed, 1)}-01` };
}

/** The day of a payment or refund, or the first open one if its month is closed. */
export function findBookingDay({ timeZone, firstOpenDay }: Books, at: number): string {
  const day = dayOf(at, timeZone);
  return day < firstOpenDay ? firstOpenDay : day;
}

type Series = 'invoices' | 'credit-notes' | 'debit-notes';

/** Without gaps: a number is only used if its transaction commits. */
async function nextNumber(tx: Tx, series: Series): Promise<number> {
  const row = await tx
    .insertInto('counters')
    .values({ name: series, value: 1 })
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet({ value: sql<number>`counters.value + 1` }),
    )
    .returning('value')
    .executeTakeFirstOrThrow();
  return row.value;
}

const findNewest = (tx: Tx, series: Series) =>
  series === 'invoices'
    ? tx
        .selectFrom('invoices')
        .select('issued_at')
        .orderBy('number', 'desc')
        .limit(1)
        .executeTakeFirst()
    : tx
        .selectFrom('credit_notes')
        .select('issued_at')
        .where('kind', '=', series === 'credit-notes' ? 'credit' : 'debit')
        .orderBy('number', 'desc')
        .limit(1)
        .executeTakeFirst();

/** The next number, with a date that isn't before that of the last one, even if the clock is. */
export async function issueNumber(
  tx: Tx,
  series: Series,
  { now }: Books,
): Promise<{ number: number; issued_at: number }> {
  const newest = await findNewest(tx, series);
  return {
    number: await nextNumber(tx, series),
    issued_at: Math.max(now, newest?.issued_at ?? 0),
  };
}

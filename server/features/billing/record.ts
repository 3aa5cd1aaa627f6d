import type { Tx } from '../../db/connect.ts';
import type { Calendar } from '../../ports/payments/payments.ts';
import { publishSignal } from '../live/service.ts';
import { writeBooks } from './books.ts';
import type { NewEvent } from './ledger-event.ts';
import { noteLedger } from './paid-history.ts';
import { findPeriods } from './paid-through.ts';
import type { LedgerRow } from './queries.ts';

/** When, by which calendar, and on whose clocks a day is a day. */
export type Place = { now: number; calendar: Calendar; timeZone: string };

/**
 * Appends events and writes down what follows from all of them: the end of what is paid for, and the
 * books. The caller holds the account, and `ledger` is what stood there.
 */
export async function recordEvents(
  tx: Tx,
  { userId, ledger }: { userId: string; ledger: readonly LedgerRow[] },
  events: readonly NewEvent[],
  { now, calendar, timeZone }: Place,
): Promise<{ ledger: LedgerRow[]; paidThrough: number | null }> {
  const last = ledger.at(-1);
  // Our clock may have been set back; the order in which we learned of things is kept all the same.
  const recordedAt = Math.max(now, last?.recorded_at ?? 0);
  const rows = events.map((event, index): LedgerRow => ({
    ...event,
    user_id: userId,
    seq: (last?.seq ?? 0) + 1 + index,
    recorded_at: recordedAt,
  }));
  const all = [...ledger, ...rows];
  const periods = findPeriods(all, calendar);
  const paidThrough = periods.at(-1)?.to ?? null;
  if (rows.length > 0) {
    await tx.insertInto('ledger').values(rows).execute();
    await tx
      .updateTable('users')
      .set({ paid_through: paidThrough })
      .where('id', '=', userId)
      .execute();
    await writeBooks(tx, rows, periods, now);
    await noteLedger(tx, userId, { before: ledger, after: all }, { calendar, timeZone });
  }
  await publishSignal(tx, `user:${userId}`, now);
  return { ledger: all, paidThrough };
}

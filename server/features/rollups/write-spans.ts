import { isDeepStrictEqual } from 'node:util';
import type { Db } from '../../db/connect.ts';
import type { PaidSpansTable } from '../../db/report-tables.ts';
import { newId } from '../../ids.ts';
import { spansOf, type PaidHistory, type PaidSpan } from './ledger-figures.ts';

type Histories = readonly PaidHistory[];

const toRow = (userId: string, span: PaidSpan): PaidSpansTable => ({
  id: newId(),
  user_id: userId,
  from_day: span.from,
  to_day: span.to,
  monthly: span.monthly,
  is_begin: span.isBegin ? 1 : 0,
  is_end: span.isEnd ? 1 : 0,
  cohort: span.cohort,
});

/** Below what either database takes in one statement. */
const MOST_ROWS = 200;

/** The spans of one member, in place of those that stand there. */
export async function replaceSpans(tx: Db, history: PaidHistory, timeZone: string): Promise<void> {
  await tx.deleteFrom('paid_spans').where('user_id', '=', history.userId).execute();
  const rows = spansOf(history, timeZone).map((span) => toRow(history.userId, span));
  for (let at = 0; at < rows.length; at += MOST_ROWS)
    await tx
      .insertInto('paid_spans')
      .values(rows.slice(at, at + MOST_ROWS))
      .execute();
}

/** The people behind the numbers follow their payments. */
export async function writeSpans(
  tx: Db,
  { before, after, timeZone }: { before: Histories; after: Histories; timeZone: string },
): Promise<void> {
  const known = new Map(before.map((history) => [history.userId, history]));
  for (const history of after) {
    const was = known.get(history.userId);
    const isSame = was && isDeepStrictEqual(spansOf(was, timeZone), spansOf(history, timeZone));
    if (!isSame) await replaceSpans(tx, history, timeZone);
  }
}

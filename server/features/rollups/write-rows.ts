import { isDeepStrictEqual } from 'node:util';
import type { Db } from '../../db/connect.ts';
import type { MoneyReturnsTable, PaidSpansTable } from '../../db/report-tables.ts';
import { newId } from '../../ids.ts';
import {
  returnsOf,
  spansOf,
  type MoneyReturn,
  type PaidHistory,
  type PaidSpan,
} from './ledger-figures.ts';

type Histories = readonly PaidHistory[];

const toSpanRow = (userId: string, span: PaidSpan): PaidSpansTable => ({
  id: newId(),
  user_id: userId,
  from_day: span.from,
  to_day: span.to,
  monthly: span.monthly,
  is_begin: span.isBegin ? 1 : 0,
  is_end: span.isEnd ? 1 : 0,
  cohort: span.cohort,
});

const toReturnRow = (userId: string, one: MoneyReturn): MoneyReturnsTable => ({
  id: newId(one.at),
  user_id: userId,
  ...one,
});

/** Below what either database takes in one statement. */
const MOST_ROWS = 200;

async function inParts<T>(rows: readonly T[], insert: (part: T[]) => Promise<unknown>) {
  for (let at = 0; at < rows.length; at += MOST_ROWS) await insert(rows.slice(at, at + MOST_ROWS));
}

async function replaceSpans(tx: Db, history: PaidHistory, timeZone: string): Promise<void> {
  await tx.deleteFrom('paid_spans').where('user_id', '=', history.userId).execute();
  const rows = spansOf(history, timeZone).map((span) => toSpanRow(history.userId, span));
  await inParts(rows, (part) => tx.insertInto('paid_spans').values(part).execute());
}

async function replaceReturns(tx: Db, history: PaidHistory, timeZone: string): Promise<void> {
  await tx.deleteFrom('money_returns').where('user_id', '=', history.userId).execute();
  const rows = returnsOf(history, timeZone).map((one) => toReturnRow(history.userId, one));
  await inParts(rows, (part) => tx.insertInto('money_returns').values(part).execute());
}

const kinds = [
  { rowsOf: spansOf, replace: replaceSpans },
  { rowsOf: returnsOf, replace: replaceReturns },
];

/** The people and payments behind the numbers follow what was paid. */
export async function writeRows(
  tx: Db,
  { before, after, timeZone }: { before: Histories; after: Histories; timeZone: string },
): Promise<void> {
  const known = new Map(before.map((history) => [history.userId, history]));
  for (const history of after)
    for (const { rowsOf, replace } of kinds) {
      const was = known.get(history.userId);
      const isSame = was && isDeepStrictEqual(rowsOf(was, timeZone), rowsOf(history, timeZone));
      if (!isSame) await replace(tx, history, timeZone);
    }
}

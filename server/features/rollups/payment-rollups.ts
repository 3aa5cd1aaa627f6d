import { isDeepStrictEqual } from 'node:util';
import { addToRows } from '../../db/add-to-rows.ts';
import type { Db } from '../../db/connect.ts';
import type { MoneyReturnsTable, PaidSpansTable } from '../../db/types/report-tables.ts';
import { newId } from '../../db/ids.ts';
import {
  buildMoneyReturns,
  buildPaidSpans,
  diffFigures,
  type MoneyReturn,
  type PaidHistory,
  type PaidSpan,
  sumFigures,
} from './ledger-figures.ts';

type Histories = readonly PaidHistory[];

/** Few enough for one statement on either database. */
const MAX_INSERT_ROWS = 200;

function* inParts<T>(rows: readonly T[]): Generator<readonly T[]> {
  for (let from = 0; from < rows.length; from += MAX_INSERT_ROWS)
    yield rows.slice(from, from + MAX_INSERT_ROWS);
}

const toSpanRow = (userId: string, span: PaidSpan): PaidSpansTable => ({
  id: newId(),
  user_id: userId,
  from_day: span.from,
  to_day: span.to,
  monthly: span.monthly,
  is_start: span.isStart ? 1 : 0,
  is_end: span.isEnd ? 1 : 0,
  cohort: span.cohort,
});

const toReturnRow = (userId: string, one: MoneyReturn): MoneyReturnsTable => ({
  id: newId(one.at),
  user_id: userId,
  ...one,
});

async function replaceSpans(tx: Db, history: PaidHistory, timeZone: string): Promise<void> {
  await tx.deleteFrom('paid_spans').where('user_id', '=', history.userId).execute();
  const rows = buildPaidSpans(history, timeZone).map((span) => toSpanRow(history.userId, span));
  for (const part of inParts(rows)) await tx.insertInto('paid_spans').values(part).execute();
}

async function replaceReturns(tx: Db, history: PaidHistory, timeZone: string): Promise<void> {
  await tx.deleteFrom('money_returns').where('user_id', '=', history.userId).execute();
  const rows = buildMoneyReturns(history, timeZone).map((one) => toReturnRow(history.userId, one));
  for (const part of inParts(rows)) await tx.insertInto('money_returns').values(part).execute();
}

const rowKinds = [
  { buildRows: buildPaidSpans, replace: replaceSpans },
  { buildRows: buildMoneyReturns, replace: replaceReturns },
];

/** Rewrites the rows behind the figures for every user whose payments have changed. */
export async function replacePaymentRows(
  tx: Db,
  { before, after, timeZone }: { before: Histories; after: Histories; timeZone: string },
): Promise<void> {
  const previous = new Map(before.map((history) => [history.userId, history]));
  for (const history of after)
    for (const { buildRows, replace } of rowKinds) {
      const was = previous.get(history.userId);
      const isSame =
        was && isDeepStrictEqual(buildRows(was, timeZone), buildRows(history, timeZone));
      if (!isSame) await replace(tx, history, timeZone);
    }
}

const toDayRows = <T extends object>(changes: readonly [day: string, change: T][]) =>
  changes.map(([day, change]) => ({ day, ...change }));

/**
 * Applies a change of users' payments to the figures, in the transaction of the change. Rows are
 * always locked in the same order, so that two transactions can't deadlock.
 */
export async function updatePaymentFigures(
  tx: Db,
  { before, after, timeZone }: { before: Histories; after: Histories; timeZone: string },
): Promise<void> {
  await replacePaymentRows(tx, { before, after, timeZone });
  const was = sumFigures(before, timeZone);
  const is = sumFigures(after, timeZone);
  const cohorts = diffFigures(was.cohorts, is.cohorts).map(([key, { subscribers }]) => {
    const [cohort = '', month = '0'] = key.split('/');
    return { cohort, month: Number(month), subscribers };
  });
  for (const part of inParts(cohorts))
    await addToRows(tx, 'cohort_months', ['cohort', 'month'], part);
  for (const part of inParts(toDayRows(diffFigures(was.money, is.money))))
    await addToRows(tx, 'money_days', ['day'], part);
  for (const part of inParts(toDayRows(diffFigures(was.days, is.days))))
    await addToRows(tx, 'subscription_days', ['day'], part);
}

import { isDeepStrictEqual } from 'node:util';
import type { Db } from '../../db/connect.ts';
import type { MoneyReturnsTable, PaidSpansTable } from '../../db/report-tables.ts';
import { newId } from '../../ids.ts';
import {
  buildMoneyReturns,
  buildPaidSpans,
  diffFigures,
  type Figures,
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

type Changes = { before: Figures; after: Figures };

async function addToCohorts(tx: Db, { before, after }: Changes) {
  const rows = [...diffFigures(before.cohorts, after.cohorts)].map(([key, { subscribers }]) => {
    const [cohort = '', month = '0'] = key.split('/');
    return { cohort, month: Number(month), subscribers };
  });
  for (const part of inParts(rows))
    await tx
      .insertInto('cohort_months')
      .values(part)
      .onConflict((conflict) =>
        conflict.columns(['cohort', 'month']).doUpdateSet((eb) => ({
          subscribers: eb('cohort_months.subscribers', '+', eb.ref('excluded.subscribers')),
        })),
      )
      .execute();
}

async function addToMoneyDays(tx: Db, { before, after }: Changes) {
  const rows = [...diffFigures(before.money, after.money)].map(([day, change]) => ({
    day,
    ...change,
  }));
  for (const part of inParts(rows))
    await tx
      .insertInto('money_days')
      .values(part)
      .onConflict((conflict) =>
        conflict.column('day').doUpdateSet((eb) => ({
          payments: eb('money_days.payments', '+', eb.ref('excluded.payments')),
          charged: eb('money_days.charged', '+', eb.ref('excluded.charged')),
          returned: eb('money_days.returned', '+', eb.ref('excluded.returned')),
        })),
      )
      .execute();
}

async function addToSubscriptionDays(tx: Db, { before, after }: Changes) {
  const rows = [...diffFigures(before.days, after.days)].map(([day, change]) => ({
    day,
    ...change,
  }));
  for (const part of inParts(rows))
    await tx
      .insertInto('subscription_days')
      .values(part)
      .onConflict((conflict) =>
        conflict.column('day').doUpdateSet((eb) => ({
          started: eb('subscription_days.started', '+', eb.ref('excluded.started')),
          ended: eb('subscription_days.ended', '+', eb.ref('excluded.ended')),
          mrr: eb('subscription_days.mrr', '+', eb.ref('excluded.mrr')),
        })),
      )
      .execute();
}

/**
 * Applies a change of users' payments to the figures, in the transaction of the change. Rows are
 * always locked in the same order, so that two transactions can't deadlock.
 */
export async function updatePaymentFigures(
  tx: Db,
  { before, after, timeZone }: { before: Histories; after: Histories; timeZone: string },
): Promise<void> {
  await replacePaymentRows(tx, { before, after, timeZone });
  const changes = { before: sumFigures(before, timeZone), after: sumFigures(after, timeZone) };
  await addToCohorts(tx, changes);
  await addToMoneyDays(tx, changes);
  await addToSubscriptionDays(tx, changes);
}

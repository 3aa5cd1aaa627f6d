import type { Db } from '../../db/connect.ts';
import { changesOf, figuresOf, type PaidHistory } from './ledger-figures.ts';
import { writeRows } from './write-rows.ts';

type Histories = readonly PaidHistory[];

/** A statement takes only so many values. */
const ROWS_AT_ONCE = 1000;

function* inParts<T>(rows: readonly T[]): Generator<readonly T[]> {
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE)
    yield rows.slice(from, from + ROWS_AT_ONCE);
}

type Changes = { was: ReturnType<typeof figuresOf>; is: ReturnType<typeof figuresOf> };

async function noteCohorts(tx: Db, { was, is }: Changes) {
  const rows = [...changesOf(was.cohorts, is.cohorts)].map(([key, { members }]) => {
    const [cohort = '', month = '0'] = key.split('/');
    return { cohort, month: Number(month), members };
  });
  for (const part of inParts(rows))
    await tx
      .insertInto('cohort_months')
      .values(part)
      .onConflict((conflict) =>
        conflict.columns(['cohort', 'month']).doUpdateSet((eb) => ({
          members: eb('cohort_months.members', '+', eb.ref('excluded.members')),
        })),
      )
      .execute();
}

async function noteMoney(tx: Db, { was, is }: Changes) {
  const rows = [...changesOf(was.money, is.money)].map(([day, change]) => ({ day, ...change }));
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

async function noteDays(tx: Db, { was, is }: Changes) {
  const rows = [...changesOf(was.days, is.days)].map(([day, change]) => ({ day, ...change }));
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
 * Brings the numbers of the site from what members' payments said before to what they say now, in the
 * transaction that changed them. Rows are taken in one order, so that no two wait in a circle.
 */
export async function notePayments(
  tx: Db,
  { before, after, timeZone }: { before: Histories; after: Histories; timeZone: string },
): Promise<void> {
  await writeRows(tx, { before, after, timeZone });
  const changes = { was: figuresOf(before, timeZone), is: figuresOf(after, timeZone) };
  await noteCohorts(tx, changes);
  await noteMoney(tx, changes);
  await noteDays(tx, changes);
}

import { sql } from 'kysely';
import type { Db } from '../../db/connect.ts';
import { changesOf, figuresOf, type PaidHistory } from './ledger-figures.ts';
import { writeSpans } from './write-spans.ts';

type Histories = readonly PaidHistory[];

const plus = (table: string, column: string, value: number) =>
  sql<number>`${sql.ref(`${table}.${column}`)} + ${value}`;

/**
 * Brings the numbers of the site from what members' payments said before to what they say now, in the
 * transaction that changed them. Rows are taken in one order, so that no two wait in a circle.
 */
export async function notePayments(
  tx: Db,
  { before, after, timeZone }: { before: Histories; after: Histories; timeZone: string },
): Promise<void> {
  await writeSpans(tx, { before, after, timeZone });
  const [was, is] = [figuresOf(before, timeZone), figuresOf(after, timeZone)];
  for (const [key, { members }] of changesOf(was.cohorts, is.cohorts)) {
    const [cohort = '', month = '0'] = key.split('/');
    await tx
      .insertInto('cohort_months')
      .values({ cohort, month: Number(month), members })
      .onConflict((conflict) =>
        conflict
          .columns(['cohort', 'month'])
          .doUpdateSet({ members: plus('cohort_months', 'members', members) }),
      )
      .execute();
  }
  for (const [day, { payments, charged, returned }] of changesOf(was.money, is.money))
    await tx
      .insertInto('money_days')
      .values({ day, payments, charged, returned })
      .onConflict((conflict) =>
        conflict.column('day').doUpdateSet({
          payments: plus('money_days', 'payments', payments),
          charged: plus('money_days', 'charged', charged),
          returned: plus('money_days', 'returned', returned),
        }),
      )
      .execute();
  for (const [day, { started, ended, mrr }] of changesOf(was.days, is.days))
    await tx
      .insertInto('subscription_days')
      .values({ day, started, ended, mrr })
      .onConflict((conflict) =>
        conflict.column('day').doUpdateSet({
          started: plus('subscription_days', 'started', started),
          ended: plus('subscription_days', 'ended', ended),
          mrr: plus('subscription_days', 'mrr', mrr),
        }),
      )
      .execute();
}

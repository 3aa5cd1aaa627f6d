import { sql } from 'kysely';
import type { DayRange } from '#contract/rules/report-days.ts';
import type { Db } from '../../db/connect.ts';
import type { MoneyDaysTable, SubscriptionDaysTable } from '../../db/report-tables.ts';

/** What had become of all changes before a day: a row for each day that had one. */
export async function sumBefore(db: Db, day: string): Promise<{ active: number; mrr: number }> {
  const found = await db
    .selectFrom('subscription_days')
    .select([
      sql<number | string | null>`sum(started - ended)`.as('active'),
      sql<number | string | null>`sum(mrr)`.as('mrr'),
    ])
    .where('day', '<', day)
    .executeTakeFirst();
  return { active: Number(found?.active ?? 0), mrr: Number(found?.mrr ?? 0) };
}

export const listSubscriptionDays = (
  db: Db,
  { from, to }: DayRange,
): Promise<SubscriptionDaysTable[]> =>
  db
    .selectFrom('subscription_days')
    .selectAll()
    .where('day', '>=', from)
    .where('day', '<=', to)
    .orderBy('day')
    .execute();

export const listMoneyDays = (db: Db, { from, to }: DayRange): Promise<MoneyDaysTable[]> =>
  db
    .selectFrom('money_days')
    .selectAll()
    .where('day', '>=', from)
    .where('day', '<=', to)
    .orderBy('day')
    .execute();

export const listCohorts = (db: Db, { from, to }: { from: string; to: string }) =>
  db
    .selectFrom('cohort_months')
    .selectAll()
    .where('cohort', '>=', from)
    .where('cohort', '<=', to)
    .orderBy('cohort')
    .orderBy('month')
    .execute();

/** Checkouts begun in a stretch of time, by what became of them. */
export const countCheckouts = (db: Db, { from, to }: { from: number; to: number }) =>
  db
    .selectFrom('checkouts')
    .select(['state', sql<number>`count(*)`.as('checkouts')])
    .where('created_at', '>=', from)
    .where('created_at', '<', to)
    .groupBy('state')
    .execute();

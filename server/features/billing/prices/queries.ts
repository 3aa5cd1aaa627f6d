import { sql } from 'kysely';
import type { Plan } from '#contract/rules/plans.ts';
import type { Db, Tx } from '../../../db/connect.ts';
import type {
  PriceChangeMembersTable,
  PriceChangesTable,
} from '../../../db/tables/billing-tables.ts';

export type PriceChangeRow = PriceChangesTable;
export type PriceChangeMember = PriceChangeMembersTable;

/** Those that apply to anyone, in the order they were planned. */
export const listOpenChanges = (db: Db, provider: string): Promise<PriceChangeRow[]> =>
  db
    .selectFrom('price_changes')
    .selectAll()
    .where('state', 'in', ['planned', 'current'])
    .where('provider', '=', provider)
    .orderBy('created_at')
    .orderBy('id')
    .execute();

export const findChange = (db: Db, id: string): Promise<PriceChangeRow | undefined> =>
  db.selectFrom('price_changes').selectAll().where('id', '=', id).executeTakeFirst();

/** The planned price that a plan will cost at this time, if it changes by then. */
export async function findPlannedPrice(
  db: Db,
  { provider, plan, at }: { provider: string; plan: Plan; at: number },
): Promise<PriceChangeRow | null> {
  const row = await db
    .selectFrom('price_changes')
    .selectAll()
    .where('state', '=', sql.lit('planned'))
    .where('plan', '=', plan)
    .where('provider', '=', provider)
    .where('starts_at', '<=', at)
    .executeTakeFirst();
  return row ?? null;
}

/** The key of the mail about a change. */
export const priceMessageKey = (changeId: string): string => `price-change:${changeId}`;
const noticeKey = (userId: string) =>
  sql<string>`${`${userId}:price-change:`} || price_change_members.change_id`;

/** What a user was told about prices that apply now or later, newest change first. */
export const listNoticesOf = (db: Db, userId: string) =>
  db
    .selectFrom('price_change_members')
    .innerJoin('price_changes', 'price_changes.id', 'price_change_members.change_id')
    .leftJoin('sent_messages', (join) => join.on('sent_messages.key', '=', noticeKey(userId)))
    .selectAll('price_change_members')
    .select(['price_changes.plan', 'price_changes.amount', 'price_changes.provider'])
    .select(['price_changes.notice_days', 'sent_messages.sent_at'])
    .where('price_change_members.user_id', '=', userId)
    .where('price_change_members.state', 'in', ['told', 'applied'])
    .where('price_changes.state', '<>', 'cancelled')
    .orderBy('price_changes.created_at', 'desc')
    .orderBy('price_changes.id', 'desc')
    .execute();
export type PriceNotice = Awaited<ReturnType<typeof listNoticesOf>>[number];

async function updateChange(
  tx: Tx,
  id: string,
  values: Partial<PriceChangesTable>,
): Promise<boolean> {
  const row = await tx
    .updateTable('price_changes')
    .set(values)
    .where('id', '=', id)
    .where('state', '<>', 'cancelled')
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Until the end of the transaction no one cancels the change; false if someone has. */
export const holdChange = (tx: Tx, id: string, now: number): Promise<boolean> =>
  updateChange(tx, id, { updated_at: now });

/** Makes it part of someone's next payment, so that it can't be cancelled; false if someone has. */
export const useChange = (tx: Tx, id: string, now: number): Promise<boolean> =>
  updateChange(tx, id, { updated_at: now, is_applied: 1 });

/** Whoever subscribes anew agrees to today's price: what they were told about older ones is over. */
export const closeOldNotices = (tx: Tx, userId: string, now: number) =>
  tx
    .updateTable('price_change_members')
    .set({ state: 'replaced', updated_at: now })
    .where('user_id', '=', userId)
    .where('state', '=', 'told')
    .where('change_id', 'in', (select) =>
      select.selectFrom('price_changes').select('id').where('state', '=', 'replaced'),
    )
    .execute();

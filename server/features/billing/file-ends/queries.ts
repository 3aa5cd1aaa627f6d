import type { FileEnds } from '#contract/rules/allowed-files.ts';
import type { Db, Tx } from '../../../db/connect.ts';
import { readInPages } from '../../../db/export-rows.ts';

/** Members whose access lasts: `paidAfter` is now without the grace period. */
const selectSubscribers = (db: Db, paidAfter: number) =>
  db.selectFrom('users').where('paid_through', '>', paidAfter);

export async function countSubscribers(db: Db, paidAfter: number): Promise<number> {
  const { count } = await selectSubscribers(db, paidAfter)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

type NewChange = {
  id: string;
  version: number;
  before: FileEnds;
  after: FileEnds;
  now: number;
  paidAfter: number;
};

/** Whoever opens a checkout later reads it before they pay, and isn't told again. */
export async function insertChange(tx: Tx, change: NewChange) {
  const { id, version, before, after, now, paidAfter } = change;
  await tx
    .insertInto('file_changes')
    .values({
      id,
      version,
      ends_before: JSON.stringify(before),
      ends_after: JSON.stringify(after),
      created_at: now,
    })
    .execute();
  await tx
    .insertInto('file_change_members')
    .columns(['change_id', 'user_id', 'told_at'])
    .expression(
      selectSubscribers(tx, paidAfter).select(({ val, ref, lit }) => [
        val(id).as('change_id'),
        ref('users.id').as('user_id'),
        lit(null).as('told_at'),
      ]),
    )
    .execute();
}

/** Adds whoever pays on a page from before a change. False if they know all there is to know. */
export async function addToMissed(tx: Tx, userId: string, openedAt: number): Promise<boolean> {
  const rows = await tx
    .insertInto('file_change_members')
    .columns(['change_id', 'user_id', 'told_at'])
    .expression(
      tx
        .selectFrom('file_changes')
        .select(({ val, ref, lit }) => [
          ref('file_changes.id').as('change_id'),
          val(userId).as('user_id'),
          lit(null).as('told_at'),
        ])
        .where('created_at', '>=', openedAt),
    )
    .onConflict((conflict) => conflict.doNothing())
    .returning('change_id')
    .execute();
  return rows.length > 0;
}

export const findLastChange = (db: Db) =>
  db
    .selectFrom('file_changes')
    .selectAll()
    .orderBy('version', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();

export const countMembers = (db: Db, changeId: string) =>
  db
    .selectFrom('file_change_members')
    .select(({ fn }) => [
      fn.countAll<number>().as('members'),
      fn.count<number>('told_at').as('told'),
    ])
    .where('change_id', '=', changeId)
    .executeTakeFirstOrThrow();

export const readUntold = (db: Db, changeId: string) =>
  readInPages((after: { user_id: string } | null, limit) =>
    db
      .selectFrom('file_change_members')
      .select('user_id')
      .where('change_id', '=', changeId)
      .where('told_at', 'is', null)
      .where('user_id', '>', after?.user_id ?? '')
      .orderBy('user_id')
      .limit(limit)
      .execute(),
  );

/** Every change while this member had access, the oldest first. */
export const listChangesOf = (tx: Tx, userId: string) =>
  tx
    .selectFrom('file_change_members')
    .innerJoin('file_changes', 'file_changes.id', 'file_change_members.change_id')
    .select(['file_changes.id', 'ends_before', 'ends_after', 'told_at'])
    .where('user_id', '=', userId)
    .orderBy('version')
    .orderBy('file_changes.id')
    .execute();

/** False if somebody else has just done it. */
export async function markTold(tx: Tx, changeId: string, userId: string, now: number) {
  const row = await tx
    .updateTable('file_change_members')
    .set({ told_at: now })
    .where('change_id', '=', changeId)
    .where('user_id', '=', userId)
    .where('told_at', 'is', null)
    .returning('user_id')
    .executeTakeFirst();
  return row !== undefined;
}

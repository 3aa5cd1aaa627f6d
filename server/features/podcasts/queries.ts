import { isDisabled } from '../../db/is-disabled.ts';
import type { PodcastFeedsTable } from '../../db/types/account-tables.ts';
import type { Db } from '../../db/connect.ts';
import { exportRows } from '../../db/export-rows.ts';
import { FEED, forgetNetworks } from '../networks/service.ts';

/** A feed with everything that decides what its address gives. */
export const findFeedByToken = (db: Db, tokenHash: string) =>
  db
    .selectFrom('podcast_feeds')
    .innerJoin('users', 'users.id', 'podcast_feeds.user_id')
    .select([
      'podcast_feeds.user_id',
      'podcast_feeds.token_hash',
      'podcast_feeds.created_at',
      'podcast_feeds.last_used_at',
      'users.is_admin',
      'users.is_helper',
      'users.paid_through',
    ])
    .select(isDisabled)
    .where('podcast_feeds.token_hash', '=', tokenHash)
    .executeTakeFirst();

export type FeedRow = NonNullable<Awaited<ReturnType<typeof findFeedByToken>>>;

export const findFeedOf = (db: Db, userId: string): Promise<PodcastFeedsTable | undefined> =>
  db.selectFrom('podcast_feeds').selectAll().where('user_id', '=', userId).executeTakeFirst();

/** The networks of an earlier address say nothing about this one. */
export async function saveFeed(tx: Db, feed: PodcastFeedsTable) {
  const { user_id, ...rest } = feed;
  await deleteNetworks(tx, user_id);
  await tx
    .insertInto('podcast_feeds')
    .values(feed)
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(rest))
    .execute();
}

/** False if there was none. */
export async function deleteFeedOf(tx: Db, userId: string): Promise<boolean> {
  await deleteNetworks(tx, userId);
  const { numDeletedRows } = await tx
    .deleteFrom('podcast_feeds')
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

const deleteNetworks = (tx: Db, userId: string) => forgetNetworks(tx, { userId, credential: FEED });

export const touchFeed = (db: Db, tokenHash: string, now: number) =>
  db
    .updateTable('podcast_feeds')
    .set({ last_used_at: now })
    .where('token_hash', '=', tokenHash)
    .execute();

/** The last change of any track, also of one that is no longer listed. */
export async function findLastChange(db: Db): Promise<number> {
  const row = await db
    .selectFrom('tracks')
    .select(({ fn }) => fn.max('updated_at').as('at'))
    .executeTakeFirst();
  return row?.at ?? 0;
}

/** Without the address, which is a secret like a password. */
export const exportFeed = (db: Db, userId: string) =>
  exportRows(
    db
      .selectFrom('podcast_feeds')
      .select(['created_at as createdAt', 'last_used_at as lastUsedAt'])
      .where('user_id', '=', userId),
    { createdAt: 'created_at' },
  );

import { sql } from 'kysely';
import { MAX_COUNTED, NO_PLAYS, type PlayFacts } from './achievement-rules.ts';
import type { Db, DialectName } from '../../db/connect.ts';
import type { AchievementsTable, PlayFactsTable } from '../../db/types/listening-tables.ts';

export type AchievementRow = AchievementsTable;

const toFacts = (row: PlayFactsTable): PlayFacts => ({
  plays: row.plays,
  nightPlays: row.night_plays,
  earlyPlays: row.early_plays,
  weekStreak: row.week_streak,
  bestStreak: row.best_streak,
  lastWeek: row.last_week,
});

export const toPlayFactsRow = (userId: string, facts: PlayFacts): PlayFactsTable => ({
  user_id: userId,
  plays: facts.plays,
  night_plays: facts.nightPlays,
  early_plays: facts.earlyPlays,
  week_streak: facts.weekStreak,
  best_streak: facts.bestStreak,
  last_week: facts.lastWeek,
});

export async function findPlayFacts(db: Db, userId: string): Promise<PlayFacts> {
  const row = await db
    .selectFrom('play_facts')
    .selectAll()
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return row ? toFacts(row) : NO_PLAYS;
}

/** Locks the row, so that two plays at once are both counted. */
export async function updatePlayFacts(
  tx: Db,
  userId: string,
  dialect: DialectName,
  change: (facts: PlayFacts) => PlayFacts,
): Promise<void> {
  await tx
    .insertInto('play_facts')
    .values(toPlayFactsRow(userId, NO_PLAYS))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const row = await tx
    .selectFrom('play_facts')
    .selectAll()
    .where('user_id', '=', userId)
    .$if(dialect === 'postgres', (query) => query.forUpdate())
    .executeTakeFirstOrThrow();
  await tx
    .updateTable('play_facts')
    .set(toPlayFactsRow(userId, change(toFacts(row))))
    .where('user_id', '=', userId)
    .execute();
}

/** There is one row per track the user started, however often they play it. */
export async function sumProgress(
  db: Db,
  userId: string,
): Promise<{ listenedMs: number; finishedTracks: number }> {
  const row = await db
    .selectFrom('progress')
    .select(({ fn }) => [
      fn.sum<number | null>('listened_ms').as('listened_ms'),
      fn.sum<number | null>('is_finished').as('finished_tracks'),
    ])
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  return {
    listenedMs: row.listened_ms ?? 0,
    finishedTracks: row.finished_tracks ?? 0,
  };
}

export async function countFavorites(db: Db, userId: string): Promise<number> {
  const some = db.selectFrom('favorites').select('track_id').where('user_id', '=', userId);
  return (await some.limit(MAX_COUNTED).execute()).length;
}

export async function countPlaylists(db: Db, userId: string): Promise<number> {
  const some = db.selectFrom('playlists').select('id').where('user_id', '=', userId);
  return (await some.where('deleted_at', 'is', null).limit(MAX_COUNTED).execute()).length;
}

/** How many tracks of a year are public, and how many of them the user finished. */
export const countYear = (
  db: Db,
  { userId, year, now }: { userId: string; year: number; now: number },
): Promise<{ tracks: number; finished: number }> =>
  db
    .selectFrom('tracks')
    .leftJoin('progress', (join) =>
      join
        .onRef('progress.track_id', '=', 'tracks.id')
        .on('progress.user_id', '=', userId)
        .on('progress.is_finished', '=', 1),
    )
    .select(({ fn }) => [
      fn.countAll<number>().as('tracks'),
      fn.count<number>('progress.track_id').as('finished'),
    ])
    .where('tracks.year', '=', year)
    .where('tracks.status', '=', sql.lit('ready'))
    .where('tracks.publish_at', 'is not', null)
    .where('tracks.publish_at', '<=', now)
    .executeTakeFirstOrThrow();

/** IDs sort by time, so the first ID is the first user. */
export const findFirstUser = (db: Db): Promise<{ created_at: number } | undefined> =>
  db.selectFrom('users').select('created_at').orderBy('id').limit(1).executeTakeFirst();

export const listEarned = (db: Db, userId: string): Promise<AchievementRow[]> =>
  db
    .selectFrom('achievements')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('earned_at')
    .orderBy('achievement')
    .execute();

/** An achievement that was already earned stays as it is. */
export const insertEarned = (db: Db, rows: readonly AchievementRow[]) =>
  db
    .insertInto('achievements')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute();

export const markSeen = (db: Db, userId: string, ids: readonly string[], now: number) =>
  db
    .updateTable('achievements')
    .set({ seen_at: now })
    .where('user_id', '=', userId)
    .where('achievement', 'in', ids)
    .where('seen_at', 'is', null)
    .execute();

/** What the user has earned, and the figures behind it. */
export async function* exportAchievements(db: Db, userId: string) {
  for (const { achievement, earned_at: earnedAt, seen_at: seenAt } of await listEarned(db, userId))
    yield { achievement, earnedAt, seenAt };
  yield { figures: await findPlayFacts(db, userId) };
}

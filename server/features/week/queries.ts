import { sql } from 'kysely';
import type { WeekOfYear } from '#contract/rules/weeks.ts';
import type { Db } from '../../db/connect.ts';
import type { TracksTable } from '../../db/types/tables.ts';
import { compareColumns } from '../../db/keyset.ts';

export type TrackRow = TracksTable;

const selectTracks = (db: Db) =>
  db.selectFrom('tracks').selectAll().where('deleted_at', 'is', null);

/** All tracks of a week, in the order of every list; unscheduled ones come first. */
export const listTracksOfWeek = (db: Db, { year, week }: WeekOfYear): Promise<TrackRow[]> =>
  selectTracks(db)
    .where('year', '=', year)
    .where('week', '=', week)
    .orderBy(sql`coalesce(publish_at, ${sql.lit(Number.MAX_SAFE_INTEGER)})`, 'desc')
    .orderBy('id', 'desc')
    .limit(20)
    .execute();

/** The first tracks of later weeks that aren't out. */
export const listComingTracks = (db: Db, { year, week }: WeekOfYear, now: number) =>
  selectTracks(db)
    .where(compareColumns(['year', 'week'], '>', [year, week]))
    .where((eb) => eb.or([eb('publish_at', 'is', null), eb('publish_at', '>', now)]))
    .orderBy('year')
    .orderBy('week')
    .orderBy('created_at')
    .limit(5)
    .execute();

export const findTrack = (db: Db, id: string): Promise<TrackRow | undefined> =>
  selectTracks(db).where('id', '=', id).executeTakeFirst();

/** What came out last. */
export const findLastRelease = (db: Db, now: number): Promise<TrackRow | undefined> =>
  selectTracks(db)
    .where('status', '=', 'ready')
    .where('publish_at', 'is not', null)
    .where('publish_at', '<=', now)
    .orderBy('publish_at', 'desc')
    .limit(1)
    .executeTakeFirst();

/** The newest week that has anything: on a new site, the first upload, whatever its week. */
export const findNewestTrack = (db: Db): Promise<TrackRow | undefined> =>
  selectTracks(db)
    .orderBy('year', 'desc')
    .orderBy('week', 'desc')
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();

/** Subscribers who started and stopped paying since that day. */
export async function countPeople(
  db: Db,
  since: string,
): Promise<{ joined: number; left: number }> {
  const { joined, left } = await db
    .selectFrom('subscription_days')
    .select([
      sql<number | null>`sum(started)`.as('joined'),
      sql<number | null>`sum(ended)`.as('left'),
    ])
    .where('day', '>=', since)
    .executeTakeFirstOrThrow();
  return { joined: joined ?? 0, left: left ?? 0 };
}

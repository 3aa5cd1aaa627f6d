import { sql } from 'kysely';
import type { WeekOfYear } from '#contract/rules/weeks.ts';
import type { Db } from '../../db/connect.ts';
import type { TracksTable } from '../../db/types/tables.ts';
import { compareColumns } from '../../db/keyset.ts';

export type TrackRow = TracksTable;

const selectTracks = (db: Db) =>
  db
    .selectFrom('tracks')
    .selectAll()
    .where('deleted_at', 'is', null)
    .where('taken_down_at', 'is', null);

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

type Days = { from: string; to: string };

/** Subscribers who started paying on these days. */
export async function countJoined(db: Db, { from, to }: Days): Promise<number> {
  const { joined } = await db
    .selectFrom('subscription_days')
    .select(sql<number | null>`sum(started)`.as('joined'))
    .where('day', '>=', from)
    .where('day', '<=', to)
    .executeTakeFirstOrThrow();
  return joined ?? 0;
}

/** The mixes whose previews brought them: what each of them heard last without paying. */
export const listJoinedFrom = (db: Db, { from, to }: Days) =>
  db
    .selectFrom('paid_spans')
    .innerJoin('plays', (join) =>
      join.on('plays.id', '=', (eb) =>
        eb
          .selectFrom('plays as preview')
          .select('preview.id')
          .whereRef('preview.user_id', '=', 'paid_spans.user_id')
          .where('preview.is_subscriber', '=', 0)
          .orderBy('preview.listened_at', 'desc')
          .orderBy('preview.id', 'desc')
          .limit(1),
      ),
    )
    .innerJoin('tracks', 'tracks.id', 'plays.track_id')
    .select(['tracks.id', 'tracks.title', 'tracks.week as weekNumber'])
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('paid_spans.is_start', '=', 1)
    .where('paid_spans.from_day', '>=', from)
    .where('paid_spans.from_day', '<=', to)
    .groupBy(['tracks.id', 'tracks.title', 'tracks.week'])
    .orderBy('count', 'desc')
    .orderBy('tracks.id', 'desc')
    .limit(3)
    .execute();

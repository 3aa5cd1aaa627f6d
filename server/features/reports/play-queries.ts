import type { Expression, SqlBool } from 'kysely';
import { sql } from 'kysely';
import type { DayRange } from '#contract/rules/report-days.ts';
import type { Db } from '../../db/connect.ts';
import type { PlayHoursTable, SiteDaysTable } from '../../db/report-tables.ts';

/** One row for each day: three years are a thousand. */
export const listSiteDays = (db: Db, { from, to }: DayRange): Promise<SiteDaysTable[]> =>
  db
    .selectFrom('site_days')
    .selectAll()
    .where('day', '>=', from)
    .where('day', '<=', to)
    .orderBy('day')
    .execute();

/** Those of these days who were not here since `since`, and those never seen before. */
export async function countListeners(
  db: Db,
  { from, to }: DayRange,
  since: string,
): Promise<{ listeners: number; newcomers: number }> {
  const row = await db
    .selectFrom('listener_gaps')
    .select([
      sql<number | string | null>`sum(listeners)`.as('listeners'),
      sql<number | string | null>`sum(case when previous_day = '' then listeners else 0 end)`.as(
        'newcomers',
      ),
    ])
    .where('day', '>=', from)
    .where('day', '<=', to)
    .where('previous_day', '<', since)
    .executeTakeFirst();
  return { listeners: Number(row?.listeners ?? 0), newcomers: Number(row?.newcomers ?? 0) };
}

export const listHours = (
  db: Db,
  { from, to }: DayRange,
  after: PlayHoursTable | null,
  limit: number,
): Promise<PlayHoursTable[]> => {
  let query = db.selectFrom('play_hours').selectAll().where('day', '<=', to);
  query = after
    ? query.where(({ eb, refTuple, tuple }): Expression<SqlBool> =>
        eb(refTuple('day', 'hour'), '>', tuple(after.day, after.hour)),
      )
    : query.where('day', '>=', from);
  return query.orderBy('day').orderBy('hour').limit(limit).execute();
};

export type TrackPlays = { track_id: string; plays: number };

type Page<R> = { after: R | null; limit: number };

export const listDayPlays = (
  db: Db,
  { from, to }: DayRange,
  { after, limit }: Page<TrackPlays & { day: string }>,
): Promise<(TrackPlays & { day: string })[]> => {
  let query = db
    .selectFrom('play_days')
    .select(['day', 'track_id', 'plays'])
    .where('day', '<=', to);
  query = after
    ? query.where(({ eb, refTuple, tuple }): Expression<SqlBool> =>
        eb(refTuple('day', 'track_id'), '>', tuple(after.day, after.track_id)),
      )
    : query.where('day', '>=', from);
  return query.orderBy('day').orderBy('track_id').limit(limit).execute();
};

export const listMonthPlays = (
  db: Db,
  { from, to }: { from: string; to: string },
  { after, limit }: Page<TrackPlays & { month: string }>,
): Promise<(TrackPlays & { month: string })[]> => {
  let query = db.selectFrom('play_months').selectAll().where('month', '<=', to);
  query = after
    ? query.where(({ eb, refTuple, tuple }): Expression<SqlBool> =>
        eb(refTuple('month', 'track_id'), '>', tuple(after.month, after.track_id)),
      )
    : query.where('month', '>=', from);
  return query.orderBy('month').orderBy('track_id').limit(limit).execute();
};

export type LivePlay = { id: string; listener: string; track_id: string; heard_at: number };

/** What was started or heard since, the latest first. */
export const listLivePlays = (
  db: Db,
  since: number,
  { after, limit }: Page<LivePlay>,
): Promise<LivePlay[]> => {
  let query = db
    .selectFrom('plays')
    .select(['id', 'listener', 'track_id', 'heard_at'])
    .where('heard_at', '>=', since);
  if (after)
    query = query.where(({ eb, refTuple, tuple }): Expression<SqlBool> =>
      eb(refTuple('heard_at', 'id'), '<', tuple(after.heard_at, after.id)),
    );
  return query.orderBy('heard_at', 'desc').orderBy('id', 'desc').limit(limit).execute();
};

export const listAdministratorIds = (db: Db) =>
  db.selectFrom('users').select('id').where('is_admin', '=', sql.lit(1)).execute();

/** How far they came who began a mix in these days. */
export const listReach = (db: Db, trackId: string, { from, to }: DayRange) =>
  db
    .selectFrom('mix_reach')
    .select(['reach', sql<number | string>`sum(listeners)`.as('listeners')])
    .where('track_id', '=', trackId)
    .where('day', '>=', from)
    .where('day', '<=', to)
    .groupBy('reach')
    .execute();

type Miss = { day: string; query: string; searches: number };

export const listMisses = (
  db: Db,
  { from, to }: DayRange,
  { after, limit }: Page<Miss>,
): Promise<Miss[]> => {
  let query = db.selectFrom('search_misses').selectAll().where('day', '<=', to);
  query = after
    ? query.where(({ eb, refTuple, tuple }): Expression<SqlBool> =>
        eb(refTuple('day', 'query'), '>', tuple(after.day, after.query)),
      )
    : query.where('day', '>=', from);
  return query.orderBy('day').orderBy('query').limit(limit).execute();
};

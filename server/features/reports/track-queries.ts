import type { Db } from '../../db/connect.ts';

export type NamedTrack = { id: string; title: string; year: number; week: number };
type TrackWeek = { id: string; year: number; week: number };

export const listTrackWeeks = (
  db: Db,
  after: TrackWeek | null,
  limit: number,
): Promise<TrackWeek[]> => {
  let query = db.selectFrom('tracks').select(['id', 'year', 'week']);
  if (after) query = query.where('id', '>', after.id);
  return query.orderBy('id').limit(limit).execute();
};

export const listTracksById = (db: Db, ids: readonly string[]): Promise<NamedTrack[]> =>
  ids.length === 0
    ? Promise.resolve([])
    : db
        .selectFrom('tracks')
        .select(['id', 'title', 'year', 'week'])
        .where('id', 'in', ids)
        .execute();

export const findNewestTrack = (db: Db, now: number): Promise<NamedTrack | undefined> =>
  db
    .selectFrom('tracks')
    .select(['id', 'title', 'year', 'week'])
    .where('publish_at', 'is not', null)
    .where('publish_at', '<=', now)
    .where('status', '=', 'ready')
    .orderBy('year', 'desc')
    .orderBy('week', 'desc')
    .orderBy('publish_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();

/** A week has a few mixes; all of them, whatever has become of them. */
export const listTracksOfWeek = (db: Db, { year, week }: { year: number; week: number }) =>
  db
    .selectFrom('tracks')
    .select(['id', 'title', 'status', 'progress', 'failure', 'publish_at', 'play_count'])
    .where('year', '=', year)
    .where('week', '=', week)
    .where('deleted_at', 'is', null)
    .orderBy('publish_at')
    .orderBy('id')
    .limit(20)
    .execute();

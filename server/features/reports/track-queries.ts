import { sql } from 'kysely';
import type { Db } from '../../db/connect.ts';
import { AppError } from '../../http/app-error.ts';
import type { ReportContext } from './report.ts';

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

const findNewestTrack = (db: Db, now: number): Promise<NamedTrack | undefined> =>
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

/** The mix that is asked about, or the newest that is out. */
export async function findMix({
  db,
  now,
  trackId,
}: Pick<ReportContext, 'db' | 'now' | 'trackId'>): Promise<NamedTrack | undefined> {
  if (trackId === null) return findNewestTrack(db, now);
  const [track] = await listTracksById(db, [trackId]);
  if (!track) throw new AppError('not_found', { message: 'There is no mix with this id.' });
  return track;
}

/** A week has a few mixes; all of them, in the order of every list, what is not planned yet first. */
export const listTracksOfWeek = (db: Db, { year, week }: { year: number; week: number }) =>
  db
    .selectFrom('tracks')
    .select(['id', 'title', 'status', 'progress', 'failure', 'publish_at', 'play_count'])
    .where('year', '=', year)
    .where('week', '=', week)
    .where('deleted_at', 'is', null)
    .orderBy(sql`coalesce(publish_at, ${sql.lit(Number.MAX_SAFE_INTEGER)})`, 'desc')
    .orderBy('id', 'desc')
    .limit(20)
    .execute();

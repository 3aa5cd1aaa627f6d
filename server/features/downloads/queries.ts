import { sql, type Expression, type SqlBool } from 'kysely';
import type { Db } from '../../db/connect.ts';
import type { DownloadFormat, DownloadsTable } from '../../db/tables.ts';
import { exportRows } from '../../db/export-rows.ts';

export type DownloadRow = DownloadsTable;
export type DownloadPosition = [lastAt: number, trackId: string, format: DownloadFormat];
type NewDownload = { userId: string; trackId: string; format: DownloadFormat; now: number };

export const recordDownload = (db: Db, { userId, trackId, format, now }: NewDownload) =>
  db
    .insertInto('downloads')
    .values({
      user_id: userId,
      track_id: trackId,
      format,
      first_at: now,
      last_at: now,
      times: 1,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['user_id', 'track_id', 'format'])
        .doUpdateSet({ last_at: now, times: sql<number>`downloads.times + 1` }),
    )
    .execute();

/** The latest first; the position makes every page start exactly where the last one ended. */
export function listDownloads(
  db: Db,
  userId: string,
  { after, limit }: { after: DownloadPosition | null; limit: number },
): Promise<DownloadRow[]> {
  let query = db.selectFrom('downloads').selectAll().where('user_id', '=', userId);
  if (after) {
    const [lastAt, trackId, format] = after;
    query = query.where(({ eb, refTuple, tuple }): Expression<SqlBool> =>
      eb(refTuple('last_at', 'track_id', 'format'), '<', tuple(lastAt, trackId, format)),
    );
  }
  return query
    .orderBy('last_at', 'desc')
    .orderBy('track_id', 'desc')
    .orderBy('format', 'desc')
    .limit(limit)
    .execute();
}

/** Every file the user downloaded. */
export const exportDownloads = (db: Db, userId: string) =>
  exportRows(
    db
      .selectFrom('downloads')
      .innerJoin('tracks', 'tracks.id', 'downloads.track_id')
      .select(['downloads.track_id as trackId', 'tracks.title', 'tracks.year', 'tracks.week'])
      .select([
        'downloads.format',
        'downloads.first_at as firstAt',
        'downloads.last_at as lastAt',
        'downloads.times',
      ])
      .where('downloads.user_id', '=', userId),
    { lastAt: 'downloads.last_at', trackId: 'downloads.track_id', format: 'downloads.format' },
  );

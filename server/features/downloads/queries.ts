import { sql } from 'kysely';
import { DownloadFormat } from '#contract/downloads.ts';
import type { PageQuery } from '#contract/paging.ts';
import type { Db } from '../../db/connect.ts';
import { CursorId, CursorNumber, paginate } from '../../http/route/paginate.ts';
import { exportRows, nameTrack } from '../../db/export-rows.ts';

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

export async function findLinkGeneration(db: Db, userId: string): Promise<number> {
  const { link_generation } = await db
    .selectFrom('users')
    .select('link_generation')
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();
  return link_generation;
}

/** Links of an earlier generation no longer work. */
export const endDownloadLinks = (db: Db, userId: string) =>
  db
    .updateTable('users')
    .set({ link_generation: sql<number>`link_generation + 1` })
    .where('id', '=', userId)
    .execute();

/** Newest first. */
export const listDownloads = (db: Db, userId: string, page: PageQuery) =>
  paginate(db.selectFrom('downloads').selectAll().where('user_id', '=', userId), page, {
    orderBy: [
      ['last_at', CursorNumber],
      ['track_id', CursorId],
      ['format', DownloadFormat],
    ],
  });

/** Every file the user downloaded. */
export const exportDownloads = (db: Db, userId: string, publishedBy: number) =>
  exportRows(
    db
      .selectFrom('downloads')
      .innerJoin('tracks', 'tracks.id', 'downloads.track_id')
      .select('downloads.track_id as trackId')
      .select(nameTrack(publishedBy))
      .select([
        'downloads.format',
        'downloads.first_at as firstAt',
        'downloads.last_at as lastAt',
        'downloads.times',
      ])
      .where('downloads.user_id', '=', userId),
    { lastAt: 'downloads.last_at', trackId: 'downloads.track_id', format: 'downloads.format' },
  );

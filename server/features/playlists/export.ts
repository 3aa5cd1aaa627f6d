import type { Db } from '../../db/connect.ts';
import { readInPages } from '../../db/read-in-pages.ts';

const listAfter = (db: Db, userId: string, afterId: string, limit: number) =>
  db
    .selectFrom('playlists')
    .select(['id', 'name', 'description', 'share_token', 'created_at', 'updated_at', 'deleted_at'])
    .where('user_id', '=', userId)
    .where('id', '>', afterId)
    .orderBy('id')
    .limit(limit)
    .execute();
type Row = Awaited<ReturnType<typeof listAfter>>[number];

const listTracks = (db: Db, playlistId: string) =>
  db
    .selectFrom('playlist_tracks')
    .innerJoin('tracks', 'tracks.id', 'playlist_tracks.track_id')
    .select(['tracks.id as trackId', 'tracks.title', 'tracks.year', 'tracks.week'])
    .select('playlist_tracks.added_at as addedAt')
    .where('playlist_id', '=', playlistId)
    .orderBy('position')
    .orderBy('track_id')
    .execute();

/** Every playlist with its tracks, those not yet swept away included. */
export async function* exportPlaylists(db: Db, userId: string) {
  const readPage = (after: Row | null, limit: number) =>
    listAfter(db, userId, after?.id ?? '', limit);
  for await (const row of readInPages(readPage))
    yield {
      id: row.id,
      name: row.name,
      description: row.description,
      isShared: row.share_token !== null,
      createdAt: row.created_at,
      updatedAt: row.updated_at,
      deletedAt: row.deleted_at,
      tracks: await listTracks(db, row.id),
    };
}

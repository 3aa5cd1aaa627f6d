import type { Db } from '../../db/connect.ts';
import type { TrackPosition } from './plan-positions.ts';

export const listPositions = (db: Db, playlistId: string): Promise<TrackPosition[]> =>
  db
    .selectFrom('playlist_tracks')
    .select(['track_id', 'position'])
    .where('playlist_id', '=', playlistId)
    .orderBy('position')
    .orderBy('track_id')
    .execute();

type NewPositions = { playlistId: string; positions: readonly TrackPosition[]; now: number };

/** Adds tracks, or moves those that are already in the playlist. */
export async function writePositions(
  tx: Db,
  { playlistId, positions, now }: NewPositions,
): Promise<void> {
  if (positions.length === 0) return;
  const rows = positions.map((track) => ({ playlist_id: playlistId, ...track, added_at: now }));
  await tx
    .insertInto('playlist_tracks')
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .columns(['playlist_id', 'track_id'])
        .doUpdateSet((eb) => ({ position: eb.ref('excluded.position') })),
    )
    .execute();
}

/** True when the track was in the playlist. */
export async function deletePosition(
  tx: Db,
  playlistId: string,
  trackId: string,
): Promise<boolean> {
  const row = await tx
    .deleteFrom('playlist_tracks')
    .where('playlist_id', '=', playlistId)
    .where('track_id', '=', trackId)
    .returning('track_id')
    .executeTakeFirst();
  return row !== undefined;
}

export async function findPlaylistsWith(
  db: Db,
  trackId: string,
  playlistIds: readonly string[],
): Promise<Set<string>> {
  if (playlistIds.length === 0) return new Set();
  const rows = await db
    .selectFrom('playlist_tracks')
    .select('playlist_id')
    .where('track_id', '=', trackId)
    .where('playlist_id', 'in', playlistIds)
    .execute();
  return new Set(rows.map((row) => row.playlist_id));
}

export type FirstTrack = { playlist_id: string; track_id: string };

/** The first tracks of each playlist, in one query that reads no others. */
export async function listFirstTracks(
  db: Db,
  playlistIds: readonly string[],
  count: number,
): Promise<FirstTrack[]> {
  const firstOf = (playlistId: string) =>
    db
      .selectFrom(
        db
          .selectFrom('playlist_tracks')
          .select(['playlist_id', 'track_id', 'position'])
          .where('playlist_id', '=', playlistId)
          .orderBy('position')
          .orderBy('track_id')
          .limit(count)
          .as('first'),
      )
      .selectAll();
  const [query, ...more] = playlistIds.map(firstOf);
  if (!query) return [];
  const rows = await more.reduce((all, one) => all.unionAll(one), query).execute();
  return rows.toSorted((a, b) => a.position - b.position);
}

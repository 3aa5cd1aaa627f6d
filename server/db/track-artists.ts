import type { ArtistName } from '#contract/artists/artists.ts';
import type { Db } from './connect.ts';

/** The artists of these tracks, in the order they are named. Tracks without any are left out. */
export async function listTrackArtists(
  db: Db,
  trackIds: readonly string[],
): Promise<Map<string, ArtistName[]>> {
  if (trackIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('track_artists')
    .innerJoin('artists', 'artists.id', 'track_artists.artist_id')
    .select(['track_artists.track_id', 'artists.id', 'artists.name'])
    .where('track_artists.track_id', 'in', trackIds)
    .orderBy('track_artists.position')
    .execute();
  const byTrack = Map.groupBy(rows, (row) => row.track_id);
  return new Map(
    [...byTrack].map(([trackId, ofTrack]) => [
      trackId,
      ofTrack.map(({ id, name }) => ({ id, name })),
    ]),
  );
}

export const listArtistsOf = async (db: Db, trackId: string): Promise<ArtistName[]> =>
  (await listTrackArtists(db, [trackId])).get(trackId) ?? [];

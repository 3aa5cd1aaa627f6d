import type { DeletedPlaylist, Playlist } from '#contract/playlists.ts';
import type { Track } from '#contract/tracks.ts';
import type { ListedPlaylist } from './queries.ts';
import type { FirstTrack } from './track-queries.ts';

type Around = {
  firsts: readonly FirstTrack[];
  /** Those of the first tracks that the viewer may see. */
  tracks: readonly Track[];
  /** Which playlists hold the track that was asked about. */
  holders: ReadonlySet<string> | undefined;
};

export function presentPlaylist(
  row: ListedPlaylist,
  { firsts, tracks, holders }: Around,
): Playlist {
  const sleeves = firsts.flatMap((first) => {
    if (first.playlist_id !== row.id) return [];
    const track = tracks.find(({ id }) => id === first.track_id);
    return track ? [{ weekNumber: track.weekNumber, coverUrl: track.coverUrl }] : [];
  });
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    trackCount: row.track_count,
    sleeves,
    isShared: row.share_token !== null,
    updatedAt: row.updated_at,
    ...(holders && { hasTrack: holders.has(row.id) }),
  };
}

export const presentDeleted = (row: ListedPlaylist): DeletedPlaylist => ({
  id: row.id,
  name: row.name,
  trackCount: row.track_count,
  deletedAt: row.deleted_at ?? 0,
});

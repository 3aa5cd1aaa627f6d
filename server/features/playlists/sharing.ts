import type { SharedPlaylist } from '#contract/playlists.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../http/app-error.ts';
import type { Viewer } from '../../http/guards.ts';
import { newToken } from '../../http/tokens.ts';
import { listTracksById } from '../tracks/service.ts';
import { changeOwnPlaylist } from './owned-playlist.ts';
import { findShared, updatePlaylist } from './queries.ts';
import { listPositions } from './track-queries.ts';

export function sharePlaylist(
  deps: Deps,
  viewer: Viewer,
  id: string,
): Promise<{ shareToken: string }> {
  return changeOwnPlaylist(deps, viewer, id, async ({ tx, row }) => {
    const shareToken = row.share_token ?? newToken();
    await updatePlaylist(tx, id, { share_token: shareToken });
    return { shareToken };
  });
}

export async function unsharePlaylist(deps: Deps, viewer: Viewer, id: string): Promise<void> {
  await changeOwnPlaylist(deps, viewer, id, ({ tx }) =>
    updatePlaylist(tx, id, { share_token: null }),
  );
}

/** Anyone with the link can open the playlist; their own access decides what they see and hear. */
export async function getSharedPlaylist(
  deps: Deps,
  viewer: Viewer,
  token: string,
): Promise<SharedPlaylist> {
  const row = await findShared(deps.database.db, token);
  if (!row) throw new AppError('not_found', { message: 'This link is no longer active.' });
  const positions = await listPositions(deps.database.db, row.id);
  const ids = positions.map(({ track_id }) => track_id);
  const tracks = await listTracksById(deps, viewer, ids);
  return {
    name: row.name,
    description: row.description,
    ownerName: row.username,
    trackCount: tracks.length,
    tracks,
  };
}

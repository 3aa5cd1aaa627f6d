import { MAX_PLAYLIST_TRACKS } from '#contract/rules/playlists.ts';
import type { Db } from '../../db/connect.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../http/route/app-error.ts';
import type { Viewer } from '../../http/route/guards.ts';
import { listTracksById, getVisibleTrack } from '../tracks/service.ts';
import { changeOwnPlaylist } from './owned-playlist.ts';
import { planAdd, planMove, type TrackPosition } from './plan-positions.ts';
import {
  updatePlaylist,
  type PlaylistRow,
  deletePosition,
  listPositions,
  writePositions,
} from './queries.ts';

/** The ids without duplicates and without tracks the viewer may not see; throws if none is left. */
export async function listVisibleIds(
  deps: Deps,
  viewer: Viewer,
  trackIds: readonly string[],
): Promise<string[]> {
  const tracks = await listTracksById(deps, viewer, [...new Set(trackIds)]);
  const [first] = trackIds;
  if (tracks.length === 0 && first !== undefined) await getVisibleTrack(deps, viewer, first);
  return tracks.map((track) => track.id);
}

type Change = { row: PlaylistRow; positions: readonly TrackPosition[]; now: number };

/** Writes the positions and returns the new version. */
async function savePositions(tx: Db, { row, positions, now }: Change): Promise<number> {
  if (positions.length === 0) return row.version;
  await writePositions(tx, { playlistId: row.id, positions, now });
  return bumpVersion(tx, row, now);
}

async function bumpVersion(tx: Db, row: PlaylistRow, now: number): Promise<number> {
  const version = row.version + 1;
  await updatePlaylist(tx, row.id, { version, updated_at: now });
  return version;
}

type Addition = { trackIds: readonly string[]; after?: string | null | undefined };

export async function addTracks(
  deps: Deps,
  viewer: Viewer,
  id: string,
  { trackIds, after }: Addition,
): Promise<{ version: number; added: string[] }> {
  const visible = await listVisibleIds(deps, viewer, trackIds);
  return changeOwnPlaylist(deps, viewer, id, async ({ tx, row, now }) => {
    const current = await listPositions(tx, id);
    const known = new Set(current.map(({ track_id }) => track_id));
    const added = visible.filter((trackId) => !known.has(trackId));
    if (current.length + added.length > MAX_PLAYLIST_TRACKS) throw new AppError('playlist_full');
    const positions = added.length > 0 ? planAdd(current, added, after) : [];
    return { version: await savePositions(tx, { row, positions, now }), added };
  });
}

export function removeTrack(
  deps: Deps,
  viewer: Viewer,
  id: string,
  trackId: string,
): Promise<{ version: number }> {
  return changeOwnPlaylist(deps, viewer, id, async ({ tx, row, now }) => {
    const wasThere = await deletePosition(tx, id, trackId);
    return { version: wasThere ? await bumpVersion(tx, row, now) : row.version };
  });
}

type Move = { version: number; trackId: string; after: string | null };

/** Rejected when the order has changed since the viewer loaded it. */
export function moveTrack(
  deps: Deps,
  viewer: Viewer,
  id: string,
  { version, trackId, after }: Move,
): Promise<{ version: number }> {
  return changeOwnPlaylist(deps, viewer, id, async ({ tx, row, now }) => {
    if (row.version !== version) throw new AppError('playlist_changed');
    const positions = planMove(await listPositions(tx, id), trackId, after);
    if (!positions)
      throw new AppError('not_found', { message: 'That mix isn’t in this playlist.' });
    return { version: await savePositions(tx, { row, positions, now }) };
  });
}

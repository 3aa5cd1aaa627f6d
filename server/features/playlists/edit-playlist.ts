import { MAX_PLAYLISTS, MAX_PLAYLIST_TRACKS } from '#contract/rules/playlists.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../http/route/app-error.ts';
import type { Viewer } from '../../http/route/guards.ts';
import { newToken } from '../../http/route/tokens.ts';
import { changeOwnPlaylist } from './owned-playlist.ts';
import { planAdd } from './plan-positions.ts';
import { listVisibleIds } from './playlist-tracks.ts';
import {
  deletePositions,
  findPlaylist,
  listPlaylists,
  listPositions,
  listPositionsOf,
  updatePlaylist,
  writePositions,
} from './queries.ts';

type Edit = {
  name?: string;
  description?: string;
  isShared?: boolean;
  remove?: readonly string[];
  add?: readonly string[];
  /** The mixes to have from now on, in this order, instead of all others. */
  replaceWith?: readonly string[];
};

/** A playlist has each mix once. Whoever adds one again must hear that it wasn’t added. */
const alreadyThere = (count: number) =>
  new AppError('validation_failed', {
    message:
      count === 1
        ? 'This mix is already in the playlist.'
        : 'These mixes are already in the playlist.',
  });

/** Changes everything at once, or nothing. */
export async function editPlaylist(
  deps: Deps,
  viewer: Viewer,
  id: string,
  { name, description, isShared, remove = [], add = [], replaceWith }: Edit,
): Promise<void> {
  const added = await listVisibleIds(deps, viewer, replaceWith ?? add);
  await changeOwnPlaylist(deps, viewer, id, async ({ tx, row, now }) => {
    const before = await listPositions(tx, id);
    const removed = replaceWith ? before.map(({ track_id }) => track_id) : remove;
    await deletePositions(tx, id, removed);
    const kept = before.filter(({ track_id }) => !removed.includes(track_id));
    const fresh = added.filter((trackId) => !kept.some(({ track_id }) => track_id === trackId));
    if (add.length > 0 && fresh.length === 0) throw alreadyThere(added.length);
    if (kept.length + fresh.length > MAX_PLAYLIST_TRACKS) throw new AppError('playlist_full');
    if (fresh.length > 0)
      await writePositions(tx, { playlistId: id, positions: planAdd(kept, fresh), now });
    const shareToken = isShared ? (row.share_token ?? newToken()) : null;
    await updatePlaylist(tx, id, {
      ...(name !== undefined && { name }),
      ...(description !== undefined && { description }),
      ...(isShared !== undefined && { share_token: shareToken }),
      version: row.version + (removed.length + fresh.length > 0 ? 1 : 0),
      updated_at: now,
    });
  });
}

export type PlaylistFacts = {
  id: string;
  name: string;
  description: string;
  isShared: boolean;
  createdAt: number;
  updatedAt: number;
  /** In their order, also those that the viewer may no longer see. */
  trackIds: string[];
};

/** Every playlist of the viewer with its tracks, or one. Most recently edited first. */
export async function listPlaylistFacts(
  { database: { db } }: Deps,
  viewer: Viewer,
  id?: string,
): Promise<PlaylistFacts[]> {
  const userId = viewer.user.id;
  const found = id === undefined ? undefined : await findPlaylist(db, userId, id);
  const all =
    id === undefined
      ? (await listPlaylists(db, userId, { limit: MAX_PLAYLISTS })).rows
      : found
        ? [found]
        : [];
  const rows = all.filter((row) => row.deleted_at === null);
  const positions = await listPositionsOf(
    db,
    rows.map((row) => row.id),
  );
  const byPlaylist = Map.groupBy(positions, (position) => position.playlist_id);
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    description: row.description,
    isShared: row.share_token !== null,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    trackIds: (byPlaylist.get(row.id) ?? []).map(({ track_id }) => track_id),
  }));
}

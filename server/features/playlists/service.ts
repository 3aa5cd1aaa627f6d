import type { Page, PageQuery, ShortList } from '#contract/paging.ts';
import type {
  Playlist,
  PlaylistDetail,
  SharedPlaylist,
  DeletedPlaylist,
} from '#contract/playlists.ts';
import type { ListTeaser } from '#contract/shared-links.ts';
import type { Track } from '#contract/tracks.ts';
import { DELETED_PLAYLIST_MS, MAX_DELETED_PLAYLISTS } from '#contract/rules/playlists.ts';
import { buildPlaylist } from '../../db/build-rows.ts';
import type { Deps } from '../../deps.ts';
import { awardAchievements } from '../achievements/service.ts';
import { AppError } from '../../http/route/app-error.ts';
import type { Viewer } from '../../http/route/guards.ts';
import { newId } from '../../db/ids.ts';
import { getTeaserOf, listTracksById } from '../tracks/service.ts';
import { assertBelowLimit, changeOwnPlaylist } from './owned-playlist.ts';
import { planAdd } from './plan-positions.ts';
import {
  findByRequestKey,
  findPlaylist,
  insertPlaylist,
  listPlaylists,
  lockOwner,
  updatePlaylist,
  type ListedPlaylist,
  findPlaylistsWith,
  listFirstTracks,
  listPositions,
  writePositions,
  type FirstTrack,
  findShared,
  deleteAllButNewest,
  listDeleted,
  lockPlaylist,
} from './queries.ts';
import { listVisibleIds } from './playlist-tracks.ts';
import { newToken } from '../../http/route/tokens.ts';

export { editPlaylist, listPlaylistFacts, type PlaylistFacts } from './edit-playlist.ts';
export { exportPlaylists } from './queries.ts';

const SLEEVES = 4;

type PlaylistContext = {
  firsts: readonly FirstTrack[];
  /** The first tracks that the viewer may see. */
  tracks: readonly Track[];
  /** The playlists that contain the requested track. */
  holders: ReadonlySet<string> | undefined;
};

function presentPlaylist(
  row: ListedPlaylist,
  { firsts, tracks, holders }: PlaylistContext,
): Playlist {
  const sleeves = firsts.flatMap((first) => {
    if (first.playlist_id !== row.id) return [];
    const track = tracks.find(({ id }) => id === first.track_id);
    if (!track) return [];
    return [{ id: track.id, weekNumber: track.weekNumber, coverUrl: track.coverUrl }];
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

type ListInput = PageQuery & { trackId?: string | undefined };

export async function listOwnPlaylists(
  deps: Deps,
  viewer: Viewer,
  { trackId, ...page }: ListInput,
): Promise<Page<Playlist>> {
  const { db } = deps.database;
  const { rows, nextCursor } = await listPlaylists(db, viewer.user.id, page);
  const ids = rows.map((row) => row.id);
  const firsts = await listFirstTracks(db, ids, SLEEVES);
  const trackIds = [...new Set(firsts.map((first) => first.track_id))];
  const tracks = await listTracksById(deps, viewer, trackIds);
  const holders = trackId === undefined ? undefined : await findPlaylistsWith(db, trackId, ids);
  return {
    items: rows.map((row) => presentPlaylist(row, { firsts, tracks, holders })),
    nextCursor,
  };
}

type NewPlaylist = {
  name: string;
  description?: string | undefined;
  trackIds?: readonly string[] | undefined;
  requestKey?: string | undefined;
};

/** Creates the playlist with its tracks, or nothing at all. */
export async function createPlaylist(
  deps: Deps,
  viewer: Viewer,
  { name, description = '', trackIds = [], requestKey }: NewPlaylist,
): Promise<{ id: string }> {
  const { database, clock } = deps;
  const visible = await listVisibleIds(deps, viewer, trackIds);
  const now = clock.now();
  const row = buildPlaylist({
    id: newId(now),
    user_id: viewer.user.id,
    request_key: requestKey ?? null,
    name,
    description,
    created_at: now,
  });
  return database.db.transaction().execute(async (tx) => {
    await lockOwner(tx, database.dialect, row.user_id);
    const existing = requestKey && (await findByRequestKey(tx, row.user_id, requestKey));
    if (existing) return { id: existing.id };
    await assertBelowLimit(tx, row.user_id);
    await insertPlaylist(tx, row);
    await writePositions(tx, { playlistId: row.id, positions: planAdd([], visible), now });
    await awardAchievements(tx, deps, viewer);
    return { id: row.id };
  });
}

/** Loads the version before the tracks: if they change in between, the next move is rejected. */
export async function getPlaylist(deps: Deps, viewer: Viewer, id: string): Promise<PlaylistDetail> {
  const { db } = deps.database;
  const row = await findPlaylist(db, viewer.user.id, id);
  if (!row || row.deleted_at !== null) throw new AppError('not_found');
  const positions = await listPositions(db, id);
  const ids = positions.map(({ track_id }) => track_id);
  return {
    id,
    name: row.name,
    description: row.description,
    version: row.version,
    shareToken: row.share_token,
    trackCount: ids.length,
    tracks: await listTracksById(deps, viewer, ids),
  };
}

type Change = { name?: string | undefined; description?: string | undefined };

export async function updateDetails(
  deps: Deps,
  viewer: Viewer,
  id: string,
  { name, description }: Change,
): Promise<void> {
  await changeOwnPlaylist(deps, viewer, id, ({ tx, row, now }) =>
    updatePlaylist(tx, id, {
      name: name ?? row.name,
      description: description ?? row.description,
      updated_at: now,
    }),
  );
}

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

export const isPlaylistShared = async ({ database }: Deps, token: string): Promise<boolean> =>
  (await findShared(database.db, token)) !== undefined;

async function openShared(deps: Deps, token: string) {
  const row = await findShared(deps.database.db, token);
  if (!row) throw new AppError('not_found', { message: 'This link is no longer active.' });
  const positions = await listPositions(deps.database.db, row.id);
  return { row, ids: positions.map(({ track_id }) => track_id) };
}

/** Its name and the mixes that everyone may see. The rest is for those who log in. */
export async function getPlaylistTeaser(deps: Deps, token: string): Promise<ListTeaser> {
  const { row, ids } = await openShared(deps, token);
  return getTeaserOf(deps, row.name, ids);
}

/** Members with the link can open the playlist; their own access decides what they see and hear. */
export async function getSharedPlaylist(
  deps: Deps,
  viewer: Viewer,
  token: string,
): Promise<SharedPlaylist> {
  const { row, ids } = await openShared(deps, token);
  const tracks = await listTracksById(deps, viewer, ids);
  return {
    name: row.name,
    description: row.description,
    ownerName: row.username,
    trackCount: tracks.length,
    tracks,
  };
}

const presentDeleted = (row: ListedPlaylist): DeletedPlaylist => ({
  id: row.id,
  name: row.name,
  trackCount: row.track_count,
  deletedAt: row.deleted_at ?? 0,
});

/** Hides the playlist and its link. It can be restored for a week. */
export async function deletePlaylist(
  { database, clock }: Deps,
  viewer: Viewer,
  id: string,
): Promise<void> {
  const userId = viewer.user.id;
  await database.db.transaction().execute(async (tx) => {
    await lockOwner(tx, database.dialect, userId);
    const row = await lockPlaylist(tx, database.dialect, userId, id);
    if (!row) throw new AppError('not_found');
    if (row.deleted_at !== null) return;
    await updatePlaylist(tx, id, { deleted_at: clock.now() });
    await deleteAllButNewest(tx, userId, MAX_DELETED_PLAYLISTS);
  });
}

/** Restores the playlist with its tracks, order and link. */
export async function restorePlaylist(
  { database, clock }: Deps,
  viewer: Viewer,
  id: string,
): Promise<void> {
  const userId = viewer.user.id;
  await database.db.transaction().execute(async (tx) => {
    await lockOwner(tx, database.dialect, userId);
    const row = await lockPlaylist(tx, database.dialect, userId, id);
    if (row?.deleted_at === null) return;
    if (!row || row.deleted_at <= clock.now() - DELETED_PLAYLIST_MS)
      throw new AppError('not_found', { message: 'This playlist can no longer be restored.' });
    await assertBelowLimit(tx, userId);
    await updatePlaylist(tx, id, { deleted_at: null });
  });
}

export async function listDeletedPlaylists(
  { database, clock }: Deps,
  viewer: Viewer,
): Promise<ShortList<DeletedPlaylist>> {
  const rows = await listDeleted(database.db, viewer.user.id, {
    since: clock.now() - DELETED_PLAYLIST_MS,
    limit: MAX_DELETED_PLAYLISTS,
  });
  return { items: rows.map(presentDeleted), nextCursor: null };
}

import { buildPlaylist } from '../../db/build-rows.ts';
import type { PageQuery } from '#contract/paging.ts';
import type { Playlist, PlaylistDetail } from '#contract/playlists.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../http/app-error.ts';
import type { Viewer } from '../../http/guards.ts';
import { newId } from '../../ids.ts';
import { readTracksById } from '../tracks/service.ts';
import { assertRoomForOne, changeOwned } from './owned-playlist.ts';
import { planAdd } from './plan-places.ts';
import { presentPlaylist } from './present-playlist.ts';
import {
  findByRequestKey,
  findPlaylist,
  insertPlaylist,
  listPlaylists,
  lockOwner,
  updatePlaylist,
} from './queries.ts';
import { findPlaylistsWith, listFirstTracks, listPlaces, writePlaces } from './track-queries.ts';
import { keepVisible } from './track-service.ts';

export { exportPlaylists } from './queries.ts';

const SLEEVES = 4;

type ListInput = PageQuery & { trackId?: string | undefined };

export async function readPlaylists(
  deps: Deps,
  viewer: Viewer,
  { trackId, ...page }: ListInput,
): Promise<{ items: Playlist[]; nextCursor: string | null }> {
  const { db } = deps.database;
  const { rows, nextCursor } = await listPlaylists(db, viewer.user.id, page);
  const ids = rows.map((row) => row.id);
  const firsts = await listFirstTracks(db, ids, SLEEVES);
  const trackIds = [...new Set(firsts.map((first) => first.track_id))];
  const tracks = await readTracksById(deps, viewer, trackIds);
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

/** With its tracks in one go: a queue is saved whole or not at all. */
export async function createPlaylist(
  deps: Deps,
  viewer: Viewer,
  { name, description = '', trackIds = [], requestKey }: NewPlaylist,
): Promise<{ id: string }> {
  const { database, clock } = deps;
  const visible = await keepVisible(deps, viewer, trackIds);
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
    const made = requestKey && (await findByRequestKey(tx, row.user_id, requestKey));
    if (made) return { id: made.id };
    await assertRoomForOne(tx, row.user_id);
    await insertPlaylist(tx, row);
    await writePlaces(tx, { playlistId: row.id, places: planAdd([], visible), now });
    return { id: row.id };
  });
}

/** The version is read before the tracks: were they changed in between, a move would be refused. */
export async function readPlaylist(
  deps: Deps,
  viewer: Viewer,
  id: string,
): Promise<PlaylistDetail> {
  const { db } = deps.database;
  const row = await findPlaylist(db, viewer.user.id, id);
  if (!row || row.deleted_at !== null) throw new AppError('not_found');
  const places = await listPlaces(db, id);
  const ids = places.map((place) => place.track_id);
  return {
    id,
    name: row.name,
    description: row.description,
    version: row.version,
    shareToken: row.share_token,
    trackCount: ids.length,
    tracks: await readTracksById(deps, viewer, ids),
  };
}

type Change = { name?: string | undefined; description?: string | undefined };

export async function describePlaylist(
  deps: Deps,
  viewer: Viewer,
  id: string,
  { name, description }: Change,
): Promise<void> {
  await changeOwned(deps, viewer, id, ({ tx, row, now }) =>
    updatePlaylist(tx, id, {
      name: name ?? row.name,
      description: description ?? row.description,
      updated_at: now,
    }),
  );
}

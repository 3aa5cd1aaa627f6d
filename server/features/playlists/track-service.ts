import { MAX_PLAYLIST_TRACKS } from '#contract/rules/playlists.ts';
import type { Db } from '../../db/connect.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../http/app-error.ts';
import type { Viewer } from '../../http/guards.ts';
import { readTracksById, requireTrack } from '../tracks/service.ts';
import { changeOwned } from './owned-playlist.ts';
import { planAdd, planMove, type Place } from './plan-places.ts';
import { updatePlaylist, type PlaylistRow } from './queries.ts';
import { deletePlace, listPlaces, writePlaces } from './track-queries.ts';

/** Each one once and in order; what is not there for this member is left out, all of it refused. */
export async function keepVisible(
  deps: Deps,
  viewer: Viewer,
  trackIds: readonly string[],
): Promise<string[]> {
  const tracks = await readTracksById(deps, viewer, [...new Set(trackIds)]);
  const [first] = trackIds;
  if (tracks.length === 0 && first !== undefined) await requireTrack(deps, viewer, first);
  return tracks.map((track) => track.id);
}

type Writing = { row: PlaylistRow; places: readonly Place[]; now: number };

/** Writes the places and the version that comes with them. */
async function savePlaces(tx: Db, { row, places, now }: Writing): Promise<number> {
  if (places.length === 0) return row.version;
  await writePlaces(tx, { playlistId: row.id, places, now });
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
  const visible = await keepVisible(deps, viewer, trackIds);
  return changeOwned(deps, viewer, id, async ({ tx, row, now }) => {
    const placed = await listPlaces(tx, id);
    const known = new Set(placed.map((place) => place.track_id));
    const added = visible.filter((trackId) => !known.has(trackId));
    if (placed.length + added.length > MAX_PLAYLIST_TRACKS) throw new AppError('playlist_full');
    const places = added.length > 0 ? planAdd(placed, added, after) : [];
    return { version: await savePlaces(tx, { row, places, now }), added };
  });
}

export function removeTrack(
  deps: Deps,
  viewer: Viewer,
  id: string,
  trackId: string,
): Promise<{ version: number }> {
  return changeOwned(deps, viewer, id, async ({ tx, row, now }) => {
    const wasThere = await deletePlace(tx, id, trackId);
    return { version: wasThere ? await bumpVersion(tx, row, now) : row.version };
  });
}

type Move = { version: number; trackId: string; after: string | null };

/** A move means what it meant to whoever saw that order: in another one it is refused. */
export function moveTrack(
  deps: Deps,
  viewer: Viewer,
  id: string,
  { version, trackId, after }: Move,
): Promise<{ version: number }> {
  return changeOwned(deps, viewer, id, async ({ tx, row, now }) => {
    if (row.version !== version) throw new AppError('playlist_changed');
    const places = planMove(await listPlaces(tx, id), trackId, after);
    if (!places)
      throw new AppError('not_found', { message: 'This playlist does not hold that mix.' });
    return { version: await savePlaces(tx, { row, places, now }) };
  });
}

import type { Page, PageQuery } from '#contract/paging.ts';
import type { Track } from '#contract/tracks.ts';
import type { Deps } from '../../deps.ts';
import type { Viewer } from '../../http/route/guards.ts';
import { awardAchievements } from '../achievements/service.ts';
import { listTracksById, getVisibleTrack } from '../tracks/service.ts';
import { deleteFavorite, findFavorite, insertFavorite, listFavorites } from './queries.ts';

export { exportFavorites, listFavoriteIds, listFavoriteTimes } from './queries.ts';

export async function getFavorite(
  deps: Deps,
  viewer: Viewer,
  trackId: string,
): Promise<{ isFavorite: boolean }> {
  await getVisibleTrack(deps, viewer, trackId);
  const favorite = await findFavorite(deps.database.db, viewer.user.id, trackId);
  return { isFavorite: favorite !== undefined };
}

export async function addFavorite(deps: Deps, viewer: Viewer, trackId: string): Promise<void> {
  const track = await getVisibleTrack(deps, viewer, trackId);
  await deps.database.db.transaction().execute(async (tx) => {
    await insertFavorite(tx, {
      user_id: viewer.user.id,
      track_id: track.id,
      created_at: deps.clock.now(),
    });
    await awardAchievements(tx, deps, viewer);
  });
}

/** Also works for a track that has been unpublished since. */
export async function removeFavorite(deps: Deps, viewer: Viewer, trackId: string): Promise<void> {
  const wasFavorite = await deleteFavorite(deps.database.db, viewer.user.id, trackId);
  if (!wasFavorite) await getVisibleTrack(deps, viewer, trackId);
}

/** A page can be shorter than its limit: it leaves out tracks the user may no longer see. */
export async function listFavoriteTracks(
  deps: Deps,
  viewer: Viewer,
  page: PageQuery,
): Promise<Page<Track>> {
  const { rows, nextCursor } = await listFavorites(deps.database.db, viewer.user.id, page);
  const ids = rows.map((favorite) => favorite.track_id);
  return { items: await listTracksById(deps, viewer, ids), nextCursor };
}

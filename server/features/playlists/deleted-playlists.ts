import type { DeletedPlaylist } from '#contract/playlists.ts';
import { DELETED_PLAYLIST_MS, MAX_DELETED_PLAYLISTS } from '#contract/rules/playlists.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../http/app-error.ts';
import type { Viewer } from '../../http/guards.ts';
import { assertBelowLimit } from './owned-playlist.ts';
import {
  deleteAllButNewest,
  listDeleted,
  lockOwner,
  lockPlaylist,
  updatePlaylist,
  type ListedPlaylist,
} from './queries.ts';

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
): Promise<{ items: DeletedPlaylist[]; nextCursor: null }> {
  const rows = await listDeleted(database.db, viewer.user.id, {
    since: clock.now() - DELETED_PLAYLIST_MS,
    limit: MAX_DELETED_PLAYLISTS,
  });
  return { items: rows.map(presentDeleted), nextCursor: null };
}

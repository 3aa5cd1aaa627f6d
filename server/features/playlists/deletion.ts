import type { DeletedPlaylist } from '#contract/playlists.ts';
import { DELETED_PLAYLIST_MS, MAX_DELETED_PLAYLISTS } from '#contract/rules/playlists.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../http/app-error.ts';
import type { Viewer } from '../../http/guards.ts';
import { assertRoomForOne } from './owned-playlist.ts';
import { presentDeleted } from './present-playlist.ts';
import {
  forgetDeletedBeyond,
  listDeleted,
  lockOwner,
  lockPlaylist,
  updatePlaylist,
} from './queries.ts';

/** Out of sight at once, its link too; forgotten after a week. Deleting it again changes nothing. */
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
    await forgetDeletedBeyond(tx, userId, MAX_DELETED_PLAYLISTS);
  });
}

/** As it was, with its tracks, its order and its link. Restoring it again changes nothing. */
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
    await assertRoomForOne(tx, userId);
    await updatePlaylist(tx, id, { deleted_at: null });
  });
}

export async function readDeleted(
  { database, clock }: Deps,
  viewer: Viewer,
): Promise<{ items: DeletedPlaylist[]; nextCursor: null }> {
  const rows = await listDeleted(database.db, viewer.user.id, {
    since: clock.now() - DELETED_PLAYLIST_MS,
    limit: MAX_DELETED_PLAYLISTS,
  });
  return { items: rows.map(presentDeleted), nextCursor: null };
}

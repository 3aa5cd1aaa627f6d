import { MAX_PLAYLISTS } from '#contract/rules/playlists.ts';
import type { Db } from '../../db/connect.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../http/route/app-error.ts';
import type { Viewer } from '../../http/route/guards.ts';
import { countPlaylists, lockPlaylist, type PlaylistRow } from './queries.ts';

type Owned = { tx: Db; row: PlaylistRow; now: number };

/** Changes a playlist of the viewer, with its row locked. Other people's playlists are not found. */
export function changeOwnPlaylist<T>(
  { database, clock }: Deps,
  viewer: Viewer,
  id: string,
  change: (owned: Owned) => Promise<T>,
): Promise<T> {
  return database.db.transaction().execute(async (tx) => {
    const row = await lockPlaylist(tx, database.dialect, viewer.user.id, id);
    if (!row || row.deleted_at !== null) throw new AppError('not_found');
    return change({ tx, row, now: clock.now() });
  });
}

/** Needs a lock on the owner, so that two requests can't both create the last one. */
export async function assertBelowLimit(tx: Db, userId: string): Promise<void> {
  if ((await countPlaylists(tx, userId)) >= MAX_PLAYLISTS) throw new AppError('playlist_limit');
}

import type { HistoryEntry } from '#contract/history.ts';
import type { PageQuery } from '#contract/paging.ts';
import type { Deps } from '../../deps.ts';
import type { Viewer } from '../../http/guards.ts';
import { listListening } from '../listening/service.ts';
import { readTracksById } from '../tracks/service.ts';

/** A page can be shorter than its limit: what the member may no longer see is left out of it. */
export async function readHistory(
  deps: Deps,
  viewer: Viewer,
  page: PageQuery,
): Promise<{ items: HistoryEntry[]; nextCursor: string | null }> {
  const { rows, nextCursor } = await listListening(deps.database.db, viewer.user.id, page);
  const ids = rows.map((row) => row.track_id);
  const tracks = new Map((await readTracksById(deps, viewer, ids)).map((each) => [each.id, each]));
  return {
    items: rows.flatMap((row) => {
      const track = tracks.get(row.track_id);
      if (!track) return [];
      const position = row.position_ms / 1000;
      return [{ track, heardAt: row.last_heard_at, position, isHeard: row.is_heard === 1 }];
    }),
    nextCursor,
  };
}

import type { HistoryEntry } from '#contract/history.ts';
import type { Page, PageQuery } from '#contract/paging.ts';
import type { Deps } from '../../deps.ts';
import type { Viewer } from '../../http/route/guards.ts';
import { listProgress } from '../progress/service.ts';
import { listTracksById } from '../tracks/service.ts';

/** A page can be shorter than its limit: it leaves out tracks the user may no longer see. */
export async function listHistory(
  deps: Deps,
  viewer: Viewer,
  page: PageQuery & { state?: 'started' | undefined },
): Promise<Page<HistoryEntry>> {
  const { rows, nextCursor } = await listProgress(deps.database.db, viewer.user.id, page);
  const ids = rows.map((row) => row.track_id);
  const tracks = new Map((await listTracksById(deps, viewer, ids)).map((each) => [each.id, each]));
  return {
    items: rows.flatMap((row) => {
      const track = tracks.get(row.track_id);
      if (!track) return [];
      const position = row.position_ms / 1000;
      return [
        { track, listenedAt: row.last_listened_at, position, isFinished: row.is_finished === 1 },
      ];
    }),
    nextCursor,
  };
}

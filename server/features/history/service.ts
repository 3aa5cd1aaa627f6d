import { z } from 'zod';
import type { HistoryEntry } from '#contract/history.ts';
import { DEFAULT_PAGE_SIZE, type PageQuery } from '#contract/paging.ts';
import type { Deps } from '../../deps.ts';
import { decodeCursor, encodeCursor } from '../../http/cursor.ts';
import type { Viewer } from '../../http/guards.ts';
import { listListening } from '../listening/service.ts';
import { readTracksById } from '../tracks/service.ts';

const Position = z.tuple([z.int(), z.string().max(64)]);

/** A page can be shorter than its limit: what the member may no longer see is left out of it. */
export async function readHistory(
  deps: Deps,
  viewer: Viewer,
  { cursor, limit = DEFAULT_PAGE_SIZE }: PageQuery,
): Promise<{ items: HistoryEntry[]; nextCursor: string | null }> {
  const rows = await listListening(deps.database.db, viewer.user.id, {
    after: cursor ? decodeCursor(Position, cursor) : null,
    limit: limit + 1,
  });
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  const ids = page.map((row) => row.track_id);
  const tracks = new Map((await readTracksById(deps, viewer, ids)).map((each) => [each.id, each]));
  return {
    items: page.flatMap((row) => {
      const track = tracks.get(row.track_id);
      if (!track) return [];
      const position = row.position_ms / 1000;
      return [{ track, heardAt: row.last_heard_at, position, isHeard: row.is_heard === 1 }];
    }),
    nextCursor: last ? encodeCursor([last.last_heard_at, last.track_id]) : null,
  };
}

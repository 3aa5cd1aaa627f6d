import { z } from 'zod';
import { PageQuery } from './paging.ts';
import { defineRoutes } from './route.ts';
import { Track } from './tracks.ts';

export const HistoryEntry = z.object({
  track: Track,
  listenedAt: z.number(),
  /** Seconds into the mix where the member stopped. */
  position: z.number(),
  isFinished: z.boolean(),
});
export type HistoryEntry = z.infer<typeof HistoryEntry>;

export const historyRoutes = defineRoutes({
  'GET /api/history': {
    summary: 'What the member has played, each track once, the latest first.',
    query: PageQuery,
    response: z.object({ items: z.array(HistoryEntry), nextCursor: z.string().nullable() }),
    errors: ['unauthenticated'],
  },
});

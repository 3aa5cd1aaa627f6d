import { z } from 'zod';
import { PageQuery, pageOf } from './paging.ts';
import { defineRoutes } from './route.ts';
import { Track } from './tracks.ts';

export const HistoryEntry = z.object({
  track: Track,
  listenedAt: z.number(),
  /** Where the user stopped, in seconds. */
  position: z.number(),
  isFinished: z.boolean(),
});
export type HistoryEntry = z.infer<typeof HistoryEntry>;

export const historyRoutes = defineRoutes({
  'GET /api/history': {
    summary:
      'The tracks the user has played, each once, latest first. `state=started` leaves out tracks heard to the end and tracks played for only a few seconds.',
    query: PageQuery.extend({ state: z.literal('started').optional() }),
    response: pageOf(HistoryEntry),
    errors: ['unauthenticated'],
  },
});

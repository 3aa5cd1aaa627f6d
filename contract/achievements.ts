import { z } from 'zod';
import { shortListOf } from './paging.ts';
import { defineRoutes } from './route.ts';

export const Achievement = z.object({
  id: z.string(),
  title: z.string(),
  description: z.string(),
  goal: z.int(),
  progress: z.int(),
  unit: z.enum(['count', 'percent']),
  earnedAt: z.number().nullable(),
  /** Earned, but not announced yet. */
  isNew: z.boolean(),
});
export type Achievement = z.infer<typeof Achievement>;

export const achievementRoutes = defineRoutes({
  'GET /api/achievements': {
    summary: 'The user’s achievements, earned or in progress.',
    response: shortListOf(Achievement),
    errors: ['unauthenticated'],
  },
  'POST /api/achievements/seen': {
    summary: 'Mark achievements as announced.',
    body: z.strictObject({ ids: z.array(z.string().max(40)).max(100) }),
    errors: ['unauthenticated'],
  },
});

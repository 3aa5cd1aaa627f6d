import { z } from 'zod';
import { defineRoutes } from './route.ts';

export const Achievement = z.object({
  id: z.string(),
  title: z.string(),
  description: z.string(),
  goal: z.int(),
  progress: z.int(),
  earnedAt: z.number().nullable(),
  /** Earned, and the member has not been told yet. */
  isNew: z.boolean(),
});
export type Achievement = z.infer<typeof Achievement>;

export const achievementRoutes = defineRoutes({
  'GET /api/achievements': {
    summary: "The member's achievements, earned or on the way.",
    response: z.object({ items: z.array(Achievement) }),
    errors: ['unauthenticated'],
  },
  'POST /api/achievements/seen': {
    summary: 'The member has been told about these.',
    body: z.strictObject({ ids: z.array(z.string().max(40)).max(100) }),
    errors: ['unauthenticated'],
  },
});

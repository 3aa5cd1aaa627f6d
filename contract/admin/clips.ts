import { z } from 'zod';
import { ClipSizes } from '../clips.ts';
import { PageQuery, pageOf } from '../paging.ts';
import { defineRoutes } from '../route.ts';

export const AdminClip = z.object({
  id: z.string(),
  start: z.int(),
  seconds: z.int(),
  state: z.enum(['waiting', 'ready', 'failed', 'removed']),
  sizes: ClipSizes.nullable(),
  createdAt: z.number(),
  /** Null if the account is deleted. */
  maker: z.object({ id: z.string(), name: z.string() }).nullable(),
  track: z.object({
    id: z.string(),
    title: z.string(),
    year: z.int(),
    weekNumber: z.int(),
    isDeleted: z.boolean(),
    /** Seconds that its clips have given away, beyond the preview. */
    used: z.int(),
  }),
});
export type AdminClip = z.infer<typeof AdminClip>;

export const clipAdminRoutes = defineRoutes({
  'GET /api/admin/clips': {
    summary: 'The clips of all tracks or of one, newest first, also removed ones.',
    query: PageQuery.extend({ track: z.string().min(1).max(64).optional() }),
    response: pageOf(AdminClip).extend({
      /** How many seconds of each mix its clips may give away; 0 if clips are off. */
      limit: z.int(),
    }),
    errors: ['unauthenticated', 'not_found'],
  },
  'DELETE /api/admin/clips/:id': {
    summary: 'Remove a clip: its page and its files are gone, its seconds stay counted.',
    params: z.object({ id: z.string().min(1).max(64) }),
    errors: ['unauthenticated', 'not_found'],
  },
});

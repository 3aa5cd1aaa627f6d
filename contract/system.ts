import { z } from 'zod';
import { PageQuery } from './paging.ts';
import { defineRoutes } from './route.ts';

export const Version = z.object({ version: z.string() });

export const HealthStatus = z.enum(['ok', 'degraded', 'error']);
export type HealthStatus = z.infer<typeof HealthStatus>;

export const Health = z.object({
  status: HealthStatus,
  components: z.array(
    z.object({ name: z.enum(['database', 'storage', 'jobs']), status: HealthStatus }),
  ),
});
export type Health = z.infer<typeof Health>;

export const OutboxMessage = z.object({
  id: z.string(),
  to: z.string(),
  subject: z.string(),
  text: z.string(),
  sentAt: z.number(),
});

export const DemoProgress = z.object({ ready: z.int(), total: z.int() });

export const systemRoutes = defineRoutes({
  'GET /api/version': { summary: 'The version of the running server.', response: Version },
  'GET /api/health': {
    summary: 'What the server depends on, probed now. Answers 503 when something is down.',
    response: Health,
    downResponse: Health,
  },
  'GET /api/demo/progress': {
    summary: 'How many mixes of the demo are made. Demo mode only.',
    response: DemoProgress,
    errors: ['not_found'],
  },
  'GET /api/admin/outbox': {
    summary: 'Messages kept instead of sent. Demo mode only, newest first.',
    query: PageQuery,
    response: z.object({ items: z.array(OutboxMessage), nextCursor: z.string().nullable() }),
    errors: ['unauthenticated', 'not_found'],
  },
});

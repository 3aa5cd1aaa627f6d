import { z } from 'zod';

import { defineRoutes } from './route.ts';

const Version = z.object({
  version: z.string(),
  /** The commit that runs, `-modified` if the files are not exactly those of it; null if nobody can tell. */
  commit: z.string().nullable(),
});

export const HealthStatus = z.enum(['ok', 'degraded', 'error']);
export type HealthStatus = z.infer<typeof HealthStatus>;

export const Health = z.object({
  status: HealthStatus,
  components: z.array(
    z.object({ name: z.enum(['database', 'migrations', 'storage', 'jobs']), status: HealthStatus }),
  ),
});
export type Health = z.infer<typeof Health>;

const DemoProgress = z.object({ ready: z.int(), total: z.int() });

export const systemRoutes = defineRoutes({
  'GET /api/version': {
    summary: 'The version of the running server.',
    response: Version,
  },
  'GET /api/health': {
    summary:
      'Whether the server can do its work: the database and its migrations, the storage and the jobs. Returns 503 if one of them is down.',
    response: Health,
    downResponse: Health,
  },
  'GET /api/demo/progress': {
    summary: 'How many demo mixes are ready. Demo mode only.',
    response: DemoProgress,
    errors: ['not_found'],
  },
});

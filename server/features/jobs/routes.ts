import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../deps.ts';
import { createRouter } from '../../http/route/route.ts';
import {
  discardJob,
  pauseJobs,
  readJobs,
  readSchedules,
  retryJob,
  runWaitingJob,
} from './service.ts';

export function registerJobRoutes(app: FastifyInstance, deps: Deps) {
  const router = createRouter(app, deps);
  router.admin('GET /api/admin/jobs', ({ query }) => readJobs(deps, query));
  router.admin('GET /api/admin/schedules', () => readSchedules(deps));
  router.admin('POST /api/admin/jobs/:id/retry', ({ viewer, params }) =>
    retryJob(deps, viewer, params.id),
  );
  router.admin('POST /api/admin/jobs/:id/run', ({ viewer, params }) =>
    runWaitingJob(deps, viewer, params.id),
  );
  router.admin('PUT /api/admin/job-pauses', ({ viewer, body }) => pauseJobs(deps, viewer, body));
  router.admin('DELETE /api/admin/jobs/:id', ({ viewer, params }) =>
    discardJob(deps, viewer, params.id),
  );
}

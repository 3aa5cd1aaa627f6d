import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../deps.ts';
import { route } from '../../http/route.ts';
import { discardJob, readJobs, readSchedules, retryJob } from './service.ts';

export function registerJobRoutes(app: FastifyInstance, deps: Deps) {
  route(app, deps, 'GET /api/admin/jobs', {
    guard: 'admin',
    handler: async ({ query }) => readJobs(deps, query),
  });
  route(app, deps, 'GET /api/admin/schedules', {
    guard: 'admin',
    handler: async () => readSchedules(deps),
  });
  route(app, deps, 'POST /api/admin/jobs/:id/retry', {
    guard: 'admin',
    handler: async ({ viewer, params }) => retryJob(deps, viewer, params.id),
  });
  route(app, deps, 'DELETE /api/admin/jobs/:id', {
    guard: 'admin',
    handler: async ({ viewer, params }) => discardJob(deps, viewer, params.id),
  });
}

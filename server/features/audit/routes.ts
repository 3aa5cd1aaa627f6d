import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../deps.ts';
import { route } from '../../http/route.ts';
import { readAudit } from './service.ts';

export function registerAuditRoutes(app: FastifyInstance, deps: Deps) {
  route(app, deps, 'GET /api/admin/audit', {
    guard: 'admin',
    handler: async ({ query }) => readAudit(deps, query),
  });
}

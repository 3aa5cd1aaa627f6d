import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../deps.ts';
import { route } from '../../http/route.ts';
import { readDownloads, startDownload } from './service.ts';
import { HOUR } from '#contract/rules/time.ts';

/** No quota: a whole year in both formats passes; a script that asks without end does not. */
const downloadsByUser = { name: 'download-user', limit: 600, periodMs: HOUR };

export function registerDownloadRoutes(app: FastifyInstance, deps: Deps) {
  route(app, deps, 'POST /api/tracks/:id/download', {
    guard: 'user',
    rateLimits: ({ viewer }) => [{ rule: downloadsByUser, subject: viewer.user.id }],
    handler: async ({ viewer, params, body }) =>
      startDownload(deps, viewer, { trackId: params.id, format: body.format }),
  });
  route(app, deps, 'GET /api/downloads', {
    guard: 'user',
    handler: async ({ viewer, query }) => readDownloads(deps, viewer, query),
  });
}

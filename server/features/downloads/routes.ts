import type { FastifyInstance } from 'fastify';
import { HOUR } from '#contract/rules/time.ts';
import type { Deps } from '../../deps.ts';
import { route } from '../../http/route.ts';
import { sendFile } from '../../http/send-file.ts';
import { getDownloads, openDownload, startDownload } from './service.ts';

/** Allows a whole year in both formats, but not a script that never stops. */
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
    handler: async ({ viewer, query }) => getDownloads(deps, viewer, query),
  });
}

/** The URL itself is the permission, so no cache may store it or the file. */
const cacheControl = 'private, no-cache';

export function registerDownloadFiles(app: FastifyInstance, deps: Deps) {
  app.route<{ Params: Record<string, unknown>; Querystring: Record<string, unknown> }>({
    method: ['GET', 'HEAD'],
    url: '/media/downloads/:trackId/:format',
    handler: async (request, reply) => {
      const link = { ...request.query, ...request.params };
      const { file, name } = await openDownload(deps, link);
      return sendFile(deps, request, reply, file, { cacheControl, attachmentName: name });
    },
  });
}

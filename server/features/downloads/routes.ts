import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../deps.ts';
import { limitPerUser } from '../../http/route/rate-limit.ts';
import { createRouter } from '../../http/route/route.ts';
import { sendFile } from '../../http/send/send-file.ts';
import type { WatchSignals } from '../live/service.ts';
import { endWhenTakenDown } from '../tracks/service.ts';
import { downloadsByUser, getDownloads, openDownload, startDownload } from './service.ts';

export function registerDownloadRoutes(app: FastifyInstance, deps: Deps) {
  const router = createRouter(app, deps);
  router.user(
    'POST /api/tracks/:id/download',
    { rateLimits: limitPerUser(downloadsByUser) },
    ({ viewer, params, body }) =>
      startDownload(deps, viewer, { trackId: params.id, format: body.format }),
  );
  router.user('GET /api/downloads', ({ viewer, query }) => getDownloads(deps, viewer, query));
}

/** The URL itself is the permission, so no cache may store it or the file. */
const cacheControl = 'private, no-cache';

export function registerDownloadFiles(
  app: FastifyInstance,
  deps: Deps,
  watchSignals: WatchSignals,
) {
  app.route<{ Params: Record<string, unknown>; Querystring: Record<string, unknown> }>({
    method: ['GET', 'HEAD'],
    url: '/media/downloads/:trackId/:format',
    handler: async (request, reply) => {
      const link = { ...request.query, ...request.params };
      const { file, name, trackId } = await openDownload(deps, link, request.ip);
      endWhenTakenDown(deps, watchSignals, trackId, reply.raw);
      const options = { cacheControl, attachmentName: name, isForCdn: true };
      return sendFile(deps, request, reply, file, options);
    },
  });
}

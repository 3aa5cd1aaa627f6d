import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../deps.ts';
import { sendFile } from '../../http/send-file.ts';
import { openDownload } from './service.ts';

/** The address itself is the permission: nobody on the way may keep it or what it leads to. */
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

import type { FastifyInstance } from 'fastify';
import { UPLOAD_PATH } from '#contract/uploads.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../http/app-error.ts';
import { enforceGuard } from '../../http/guards.ts';
import { allowSlowUpload } from '../../http/slow-request-timeout.ts';
import { registerIsolatedPlugin } from '../../http/body-parsers.ts';
import { createTusServer } from './tus-server.ts';

/** Files are sent by a protocol of their own. Its HEAD is not the shadow of a GET, so there is none beside it. */
export function registerUploadFiles(app: FastifyInstance, deps: Deps) {
  const serve = createTusServer(deps);
  registerIsolatedPlugin(app, (scope) => {
    // The bytes are read by who writes them down, and nobody else.
    scope.addContentTypeParser('*', (_request, _payload, ready) => ready(null));
    const handle = {
      onRequest: async (request, reply) => {
        request.viewer = await enforceGuard('admin', deps, request, reply);
        allowSlowUpload(request.raw);
      },
      handler: async (request, reply) => {
        if (!request.viewer) throw new AppError('unauthenticated');
        return serve(request, reply, request.viewer);
      },
    } satisfies Pick<Parameters<typeof scope.route>[0], 'onRequest' | 'handler'>;
    scope.route({ method: ['POST', 'OPTIONS'], url: UPLOAD_PATH, ...handle });
    scope.route({ method: ['HEAD', 'PATCH', 'DELETE'], url: `${UPLOAD_PATH}/:id`, ...handle });
  });
}

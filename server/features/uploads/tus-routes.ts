import type { FastifyInstance } from 'fastify';
import { UPLOAD_PATH } from '#contract/admin/upload-path.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../http/route/app-error.ts';
import { registerIsolatedPlugin } from '../../http/route/body-parsers.ts';
import { enforceGuard } from '../../http/route/guards.ts';
import { allowSlowUpload } from '../../http/load/slow-request-timeout.ts';

/** Routes of the tus protocol, whose server is loaded for the first upload. Its HEAD has no matching GET. */
export function registerTusRoutes(app: FastifyInstance, deps: Deps) {
  const load = async () => (await import('./tus-server.ts')).createTusServer(deps);
  let serving: ReturnType<typeof load> | undefined;
  registerIsolatedPlugin(app, (scope) => {
    // Only the upload store reads the body.
    scope.addContentTypeParser('*', (_request, _payload, ready) => ready(null));
    const handle = {
      onRequest: async (request, reply) => {
        request.viewer = await enforceGuard('helper', deps, request, reply);
        allowSlowUpload(request.raw);
      },
      handler: async (request, reply) => {
        if (!request.viewer) throw new AppError('unauthenticated');
        const serve = await (serving ??= load());
        return serve(request, reply, request.viewer);
      },
    } satisfies Pick<Parameters<typeof scope.route>[0], 'onRequest' | 'handler'>;
    scope.route({ method: ['POST', 'OPTIONS'], url: UPLOAD_PATH, ...handle });
    scope.route({ method: ['HEAD', 'PATCH', 'DELETE'], url: `${UPLOAD_PATH}/:id`, ...handle });
  });
}

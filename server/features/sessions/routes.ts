import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Deps } from '../../deps.ts';
import { createRouter } from '../../http/route/route.ts';
import { clearSessionCookie, readSessionToken } from '../../http/route/sessions.ts';
import { endOtherSessions, endSession, listOwnSessions, logout } from './service.ts';

export function registerSessionRoutes(app: FastifyInstance, deps: Deps) {
  const router = createRouter(app, deps);
  const readCurrent = (request: FastifyRequest) => ({
    token: readSessionToken(deps.config, request),
  });
  router.public('POST /api/auth/logout', async ({ request, reply }) => {
    await logout(deps, readCurrent(request));
    clearSessionCookie(deps.config, reply);
  });
  router.user('GET /api/me/sessions', ({ viewer, request }) =>
    listOwnSessions(deps, viewer, readCurrent(request)),
  );
  router.user('DELETE /api/me/sessions', ({ viewer, request }) =>
    endOtherSessions(deps, viewer, readCurrent(request)),
  );
  router.user('DELETE /api/me/sessions/:id', ({ viewer, params }) =>
    endSession(deps, viewer, params.id),
  );
}

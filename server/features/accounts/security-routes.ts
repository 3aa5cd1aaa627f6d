import type { FastifyInstance, FastifyRequest } from 'fastify';
import { HOUR } from '#contract/rules/time.ts';
import type { Deps } from '../../deps.ts';
import { limitPerUser, type RateLimit } from '../../http/rate-limit.ts';
import { createRouter } from '../../http/route.ts';
import { readSessionToken } from '../../http/sessions.ts';
import { changePassword, limitPasswordChecks } from './passwords.ts';
import { endOtherSessions, endSession, listOwnSessions } from './sessions.ts';
import {
  getTotpState,
  regenerateRecoveryCodes,
  startTotpSetup,
  disableTotp,
  enableTotp,
} from './totp-service.ts';

const firstCodeByUser: RateLimit = { name: 'first-code-user', limit: 20, periodMs: HOUR };

export function registerSecurityRoutes(app: FastifyInstance, deps: Deps) {
  const router = createRouter(app, deps);
  const toCurrentSession = (request: FastifyRequest) => ({
    token: readSessionToken(deps.config, request),
  });
  router.user('GET /api/me/sessions', ({ viewer, request }) =>
    listOwnSessions(deps, viewer, toCurrentSession(request)),
  );
  router.user('DELETE /api/me/sessions', ({ viewer, request }) =>
    endOtherSessions(deps, viewer, toCurrentSession(request)),
  );
  router.user('DELETE /api/me/sessions/:id', ({ viewer, params }) =>
    endSession(deps, viewer, params.id),
  );
  router.user(
    'POST /api/me/password',
    { rateLimits: limitPasswordChecks },
    ({ viewer, body, request }) => changePassword(deps, viewer, body, toCurrentSession(request)),
  );
  router.user('GET /api/me/totp', ({ viewer }) => getTotpState(deps, viewer));
  router.user('POST /api/me/totp', { rateLimits: limitPasswordChecks }, ({ viewer, body }) =>
    startTotpSetup(deps, viewer, body),
  );
  router.user(
    'POST /api/me/totp/confirm',
    { rateLimits: limitPerUser(firstCodeByUser) },
    ({ viewer, body }) => enableTotp(deps, viewer, body),
  );
  router.user(
    'POST /api/me/totp/recovery-codes',
    { rateLimits: limitPasswordChecks },
    ({ viewer, body }) => regenerateRecoveryCodes(deps, viewer, body),
  );
  router.user('DELETE /api/me/totp', { rateLimits: limitPasswordChecks }, ({ viewer, body }) =>
    disableTotp(deps, viewer, body),
  );
}

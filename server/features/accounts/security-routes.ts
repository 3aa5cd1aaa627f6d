import type { FastifyInstance, FastifyRequest } from 'fastify';
import { HOUR } from '#contract/rules/time.ts';
import type { Deps } from '../../deps.ts';
import type { Viewer } from '../../http/guards.ts';
import type { RateLimit } from '../../http/rate-limit.ts';
import { route } from '../../http/route.ts';
import { readSessionToken } from '../../http/sessions.ts';
import { changePassword, passwordChecksByUser } from './passwords.ts';
import { endOtherSessions, endSession, listOwnSessions } from './sessions.ts';
import {
  getTotpState,
  regenerateRecoveryCodes,
  startTotpSetup,
  disableTotp,
  enableTotp,
} from './totp-service.ts';

const firstCodeByUser: RateLimit = { name: 'first-code-user', limit: 20, periodMs: HOUR };

/** Only wrong passwords count. */
const limitPasswordChecks = ({ viewer }: { viewer: Viewer }) => [
  { rule: passwordChecksByUser, subject: viewer.user.id, isReleasedOnSuccess: true },
];

export function registerSecurityRoutes(app: FastifyInstance, deps: Deps) {
  const toCurrentSession = (request: FastifyRequest) => ({
    token: readSessionToken(deps.config, request),
  });

  route(app, deps, 'GET /api/me/sessions', {
    guard: 'user',
    handler: async ({ viewer, request }) =>
      listOwnSessions(deps, viewer, toCurrentSession(request)),
  });
  route(app, deps, 'DELETE /api/me/sessions', {
    guard: 'user',
    handler: async ({ viewer, request }) =>
      endOtherSessions(deps, viewer, toCurrentSession(request)),
  });
  route(app, deps, 'DELETE /api/me/sessions/:id', {
    guard: 'user',
    handler: async ({ viewer, params }) => endSession(deps, viewer, params.id),
  });
  route(app, deps, 'POST /api/me/password', {
    guard: 'user',
    rateLimits: limitPasswordChecks,
    handler: async ({ viewer, body, request }) =>
      changePassword(deps, viewer, body, toCurrentSession(request)),
  });
  route(app, deps, 'GET /api/me/totp', {
    guard: 'user',
    handler: async ({ viewer }) => getTotpState(deps, viewer),
  });
  route(app, deps, 'POST /api/me/totp', {
    guard: 'user',
    rateLimits: limitPasswordChecks,
    handler: async ({ viewer, body }) => startTotpSetup(deps, viewer, body),
  });
  route(app, deps, 'POST /api/me/totp/confirm', {
    guard: 'user',
    rateLimits: ({ viewer }) => [{ rule: firstCodeByUser, subject: viewer.user.id }],
    handler: async ({ viewer, body }) => enableTotp(deps, viewer, body),
  });
  route(app, deps, 'POST /api/me/totp/recovery-codes', {
    guard: 'user',
    rateLimits: limitPasswordChecks,
    handler: async ({ viewer, body }) => regenerateRecoveryCodes(deps, viewer, body),
  });
  route(app, deps, 'DELETE /api/me/totp', {
    guard: 'user',
    rateLimits: limitPasswordChecks,
    handler: async ({ viewer, body }) => disableTotp(deps, viewer, body),
  });
}

import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Deps } from '../../deps.ts';
import type { Viewer } from '../../http/guards.ts';
import type { RateLimit } from '../../http/rate-limit.ts';
import { route } from '../../http/route.ts';
import { readSessionToken } from '../../http/session-cookie.ts';
import { changePassword } from './password-service.ts';
import { proofByUser } from './prove-password.ts';
import { endOtherSessions, endSession, readSessions } from './sessions-service.ts';
import {
  readTotp,
  renewRecoveryCodes,
  startTotp,
  turnTotpOff,
  turnTotpOn,
} from './totp-service.ts';
import { HOUR } from '#contract/rules/time.ts';

const firstCodeByUser: RateLimit = { name: 'first-code-user', limit: 20, periodMs: HOUR };

/** Only failures count. */
const limitProofs = ({ viewer }: { viewer: Viewer }) => [
  { rule: proofByUser, subject: viewer.user.id, isReleasedOnSuccess: true },
];

export function registerSecurityRoutes(app: FastifyInstance, deps: Deps) {
  const tokenOf = (request: FastifyRequest) => ({ token: readSessionToken(deps.config, request) });

  route(app, deps, 'GET /api/me/sessions', {
    guard: 'user',
    handler: async ({ viewer, request }) => readSessions(deps, viewer, tokenOf(request)),
  });
  route(app, deps, 'DELETE /api/me/sessions', {
    guard: 'user',
    handler: async ({ viewer, request }) => endOtherSessions(deps, viewer, tokenOf(request)),
  });
  route(app, deps, 'DELETE /api/me/sessions/:id', {
    guard: 'user',
    handler: async ({ viewer, params }) => endSession(deps, viewer, params.id),
  });
  route(app, deps, 'POST /api/me/password', {
    guard: 'user',
    rateLimits: limitProofs,
    handler: async ({ viewer, body, request }) =>
      changePassword(deps, viewer, body, tokenOf(request)),
  });
  route(app, deps, 'GET /api/me/totp', {
    guard: 'user',
    handler: async ({ viewer }) => readTotp(deps, viewer),
  });
  route(app, deps, 'POST /api/me/totp', {
    guard: 'user',
    rateLimits: limitProofs,
    handler: async ({ viewer, body }) => startTotp(deps, viewer, body),
  });
  route(app, deps, 'POST /api/me/totp/confirm', {
    guard: 'user',
    rateLimits: ({ viewer }) => [{ rule: firstCodeByUser, subject: viewer.user.id }],
    handler: async ({ viewer, body }) => turnTotpOn(deps, viewer, body),
  });
  route(app, deps, 'POST /api/me/totp/recovery-codes', {
    guard: 'user',
    rateLimits: limitProofs,
    handler: async ({ viewer, body }) => renewRecoveryCodes(deps, viewer, body),
  });
  route(app, deps, 'DELETE /api/me/totp', {
    guard: 'user',
    rateLimits: limitProofs,
    handler: async ({ viewer, body }) => turnTotpOff(deps, viewer, body),
  });
}

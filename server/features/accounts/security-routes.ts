import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Deps } from '../../deps.ts';
import type { Actor } from '../../http/guards.ts';
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
const limitProofs = ({ actor }: { actor: Actor }) => [
  { rule: proofByUser, subject: actor.user.id, isReleasedOnSuccess: true },
];

export function registerSecurityRoutes(app: FastifyInstance, deps: Deps) {
  const tokenOf = (request: FastifyRequest) => ({ token: readSessionToken(deps.config, request) });

  route(app, deps, 'GET /api/me/sessions', {
    guard: 'member',
    handler: async ({ actor, request }) => readSessions(deps, actor, tokenOf(request)),
  });
  route(app, deps, 'DELETE /api/me/sessions', {
    guard: 'member',
    handler: async ({ actor, request }) => endOtherSessions(deps, actor, tokenOf(request)),
  });
  route(app, deps, 'DELETE /api/me/sessions/:id', {
    guard: 'member',
    handler: async ({ actor, params }) => endSession(deps, actor, params.id),
  });
  route(app, deps, 'POST /api/me/password', {
    guard: 'member',
    rateLimits: limitProofs,
    handler: async ({ actor, body, request }) =>
      changePassword(deps, actor, body, tokenOf(request)),
  });
  route(app, deps, 'GET /api/me/totp', {
    guard: 'member',
    handler: async ({ actor }) => readTotp(deps, actor),
  });
  route(app, deps, 'POST /api/me/totp', {
    guard: 'member',
    rateLimits: limitProofs,
    handler: async ({ actor, body }) => startTotp(deps, actor, body),
  });
  route(app, deps, 'POST /api/me/totp/confirm', {
    guard: 'member',
    rateLimits: ({ actor }) => [{ rule: firstCodeByUser, subject: actor.user.id }],
    handler: async ({ actor, body }) => turnTotpOn(deps, actor, body),
  });
  route(app, deps, 'POST /api/me/totp/recovery-codes', {
    guard: 'member',
    rateLimits: limitProofs,
    handler: async ({ actor, body }) => renewRecoveryCodes(deps, actor, body),
  });
  route(app, deps, 'DELETE /api/me/totp', {
    guard: 'member',
    rateLimits: limitProofs,
    handler: async ({ actor, body }) => turnTotpOff(deps, actor, body),
  });
}

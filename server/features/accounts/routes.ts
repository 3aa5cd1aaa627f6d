import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type User, AVATAR_MAX_BYTES } from '#contract/accounts.ts';
import { hasAccess } from '#contract/rules/access.ts';
import { offlineUntil } from '#contract/rules/lease.ts';
import { MINUTE, HOUR } from '#contract/rules/time.ts';
import type { Deps } from '../../deps.ts';
import { readGraceMs } from '../../http/access-policy.ts';
import { AppError } from '../../http/app-error.ts';
import { limitPerAddress, limitPerUser, type RateLimit } from '../../http/rate-limit.ts';
import { createRouter } from '../../http/route.ts';
import {
  type SessionUser,
  clearSessionCookie,
  readSessionToken,
  setSessionCookie,
} from '../../http/sessions.ts';
import { findLegalChange } from '../legal/service.ts';
import { deleteAvatar, replaceAvatar } from './avatars.ts';
import { confirmReset, requestReset, changePassword, limitPasswordChecks } from './passwords.ts';
import { toAccountKey } from './queries.ts';
import { findLoginSubject, login, logout, register, updateProfile } from './service.ts';
import { toLoginContext, endOtherSessions, endSession, listOwnSessions } from './sessions.ts';
import {
  getTotpState,
  regenerateRecoveryCodes,
  startTotpSetup,
  disableTotp,
  enableTotp,
} from './totp-service.ts';

const limit = (name: string, times: number, minutes: number): RateLimit => ({
  name,
  limit: times,
  periodMs: minutes * MINUTE,
});

export const accountLimits = {
  loginByAccount: limit('login-account', 10, 15),
  loginByAddress: limit('login-address', 50, 15),
  registerByAddress: limit('register-address', 20, 60),
  resetByEmail: limit('reset-email', 3, 60),
  resetByAddress: limit('reset-address', 20, 60),
  confirmByAddress: limit('confirm-address', 20, 60),
  profileByUser: limit('profile-user', 30, 60),
  avatarByUser: limit('avatar-user', 30, 60),
};

async function presentUser(deps: Deps, user: Omit<SessionUser, 'grace_ms'>): Promise<User> {
  const now = deps.clock.now();
  const grace_ms = await readGraceMs(deps);
  const termsChangedAt = await findLegalChange(deps, user);
  return {
    id: user.id,
    username: user.username,
    email: user.email,
    isSubscriber: hasAccess(user.paid_through, now, grace_ms),
    isAdmin: user.is_admin === 1,
    avatarUrl: user.avatar_key === null ? null : `/media/${user.avatar_key}`,
    offlineUntil: offlineUntil({ ...user, grace_ms }, now),
    ...(termsChangedAt !== null && { termsChangedAt }),
  };
}

export function registerAccountRoutes(app: FastifyInstance, deps: Deps) {
  const router = createRouter(app, deps);
  const { config } = deps;

  router.user('GET /api/auth/me', ({ viewer }) => presentUser(deps, viewer.user));
  router.public(
    'POST /api/auth/login',
    {
      rateLimits: async ({ body, address }) => [
        { rule: accountLimits.loginByAddress, subject: address, isReleasedOnSuccess: true },
        {
          rule: accountLimits.loginByAccount,
          subject: await findLoginSubject(deps, body.username),
          isReleasedOnSuccess: true,
        },
      ],
    },
    async ({ body, request, reply }) => {
      const { user, token } = await login(deps, body, toLoginContext(config, request));
      setSessionCookie(config, reply, token);
      return presentUser(deps, user);
    },
  );
  router.public(
    'POST /api/auth/register',
    { rateLimits: limitPerAddress(accountLimits.registerByAddress) },
    async ({ body, request, reply }) => {
      const { user, token } = await register(deps, body, toLoginContext(config, request));
      setSessionCookie(config, reply, token);
      return presentUser(deps, user);
    },
  );
  router.public('POST /api/auth/logout', async ({ request, reply }) => {
    await logout(deps, readSessionToken(config, request));
    clearSessionCookie(config, reply);
  });
  router.public(
    'POST /api/auth/reset-password/request',
    {
      rateLimits: ({ body, address }) => [
        { rule: accountLimits.resetByAddress, subject: address },
        { rule: accountLimits.resetByEmail, subject: toAccountKey(body.email) },
      ],
    },
    ({ body }) => requestReset(deps, body.email),
  );
  router.public(
    'POST /api/auth/reset-password/confirm',
    { rateLimits: limitPerAddress(accountLimits.confirmByAddress) },
    ({ body }) => confirmReset(deps, body),
  );
  router.user(
    'PATCH /api/users/:id',
    {
      rateLimits: limitPerUser(accountLimits.profileByUser),
    },
    async ({ viewer, params, body }) =>
      presentUser(deps, await updateProfile(deps, viewer, params.id, body)),
  );
  router.user(
    'PUT /api/users/:id/avatar',
    {
      bodyLimit: AVATAR_MAX_BYTES,
      rateLimits: limitPerUser(accountLimits.avatarByUser),
    },
    async ({ viewer, params, body }) =>
      presentUser(deps, await replaceAvatar(deps, viewer, params.id, body)),
  );
  router.user('DELETE /api/users/:id/avatar', async ({ viewer, params }) =>
    presentUser(deps, await deleteAvatar(deps, viewer, params.id)),
  );
}

/** Cached for ever: a new picture has a new key. */
export function registerAvatarFiles(app: FastifyInstance, deps: Deps) {
  app.get<{ Params: { name: string } }>('/media/avatars/:name', async (request, reply) => {
    const { name } = request.params;
    const file = /^[a-z0-9]+\.webp$/.test(name) ? await deps.storage.open(`avatars/${name}`) : null;
    if (!file) throw new AppError('not_found');
    return reply
      .headers({
        'content-type': 'image/webp',
        'content-length': file.size,
        'cache-control': 'public, max-age=31536000, immutable',
      })
      .send(file.stream);
  });
}

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

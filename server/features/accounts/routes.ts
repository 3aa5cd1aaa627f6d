import type { FastifyInstance } from 'fastify';
import { type User, AVATAR_MAX_BYTES } from '#contract/accounts.ts';
import { hasAccess } from '#contract/rules/access.ts';
import { offlineUntil } from '#contract/rules/lease.ts';
import { HOUR } from '#contract/rules/time.ts';
import { readSettings } from '../../db/settings.ts';
import type { Deps } from '../../deps.ts';
import { readGraceMs } from '../../http/route/access-policy.ts';
import { findGrace } from '../../http/route/guards.ts';
import { AppError } from '../../http/route/app-error.ts';
import type { Viewer } from '../../http/route/guards.ts';
import { defineRateLimit, limitPerAddress, limitPerUser } from '../../http/route/rate-limit.ts';
import { createRouter } from '../../http/route/route.ts';
import { type SessionUser, readSessionToken, setSessionCookie } from '../../http/route/sessions.ts';
import { findPaymentDue } from '../billing/service.ts';
import { findLegalChange } from '../legal/service.ts';
import { deleteAvatar, replaceAvatar } from './avatars.ts';
import { confirmDevice } from './login/confirm-identity.ts';
import {
  cancelEmailChange,
  confirmEmail,
  linksByEmail,
  resendEmailLink,
  undoEmailChange,
} from './email/email-addresses.ts';
import { findRefusal } from '../../ports/mail/refused-addresses.ts';
import { findUnconfirmedEmail } from './email/email-jobs.ts';
import {
  forgetFailedLogins,
  limitLogins,
  limitResets,
  rememberDevice,
} from './login/known-devices.ts';
import { limitPasswordChecks } from './login/refused-passwords.ts';
import { confirmReset, requestReset, changePassword } from './login/passwords.ts';
import { toAccountKey } from './queries.ts';
import { login, register, updateProfile } from './service.ts';
import { logLogin, toLoginContext } from './login/login-context.ts';
import {
  getTotpState,
  regenerateRecoveryCodes,
  startTotpSetup,
  disableTotp,
  enableTotp,
} from './login/totp-service.ts';

const accountLimits = {
  registerByAddress: defineRateLimit({
    name: 'register-address',
    what: 'Registrations from one address',
    limit: 20,
    periodMs: HOUR,
  }),
  confirmByAddress: defineRateLimit({
    name: 'confirm-address',
    what: 'Uses of reset links from one address',
    limit: 20,
    periodMs: HOUR,
  }),
  profileByUser: defineRateLimit({
    name: 'profile-user',
    what: 'Profile changes by one user',
    limit: 30,
    periodMs: HOUR,
  }),
  emailByUser: defineRateLimit({
    name: 'email-user',
    what: 'Changes of the e-mail address by one user',
    limit: 10,
    periodMs: HOUR,
  }),
  emailLinkByAddress: defineRateLimit({
    name: 'email-link-address',
    what: 'Links in e-mails about an address, opened from one address',
    limit: 30,
    periodMs: HOUR,
  }),
  avatarByUser: defineRateLimit({
    name: 'avatar-user',
    what: 'Avatar uploads by one user',
    limit: 30,
    periodMs: HOUR,
  }),
};

/** The account as its owner sees it. */
export async function presentUser(
  deps: Deps,
  user: Omit<SessionUser, 'grace_ms'>,
  sessionHash = '',
): Promise<User> {
  const now = deps.clock.now();
  const grace_ms = await readGraceMs(deps);
  const termsChangedAt = await findLegalChange(deps, user);
  const unconfirmedEmail = findUnconfirmedEmail(user);
  const refusal = await findRefusal(deps.database.db, user.email);
  const grace = await findGrace(deps, user, sessionHash);
  const paymentDue = await findPaymentDue(deps, user);
  const isSubscriber = hasAccess(user.paid_through, now, grace_ms);
  const { downloadsEnd, losslessEnd, savingEnd } = await readSettings(deps.database.db, now);
  const fileEnds = { downloadsEnd, losslessEnd, savingEnd };
  const hasEnd = Object.values(fileEnds).some((end) => end !== null);
  return {
    id: user.id,
    username: user.username,
    email: user.email,
    ...(unconfirmedEmail !== null && { unconfirmedEmail }),
    ...(refusal && { isEmailRefused: true }),
    isSubscriber,
    isAdmin: user.is_admin === 1,
    ...(user.is_helper === 1 && { isHelper: true }),
    ...(grace && { adminGrace: { ...grace, isOver: grace.until <= now } }),
    avatarUrl: user.avatar_key === null ? null : `/media/${user.avatar_key}`,
    offlineUntil: offlineUntil({ ...user, grace_ms }, fileEnds, now),
    ...(isSubscriber && user.paid_through !== null && { paidThrough: user.paid_through }),
    ...(hasEnd && { fileEnds }),
    ...(termsChangedAt !== null && { termsChangedAt }),
    ...(paymentDue && { paymentDue }),
  };
}

const isSameAddress = ({ user }: Viewer, email: string): boolean =>
  toAccountKey(email) === toAccountKey(user.email);

/** For the user, and for the address, whose owner may be someone else. */
const limitEmailLinks = ({ user }: Viewer, email: string) => [
  { rule: accountLimits.emailByUser, subject: user.id },
  { rule: linksByEmail, subject: toAccountKey(email) },
];

export function registerAccountRoutes(app: FastifyInstance, deps: Deps) {
  const router = createRouter(app, deps);
  const { config } = deps;

  router.user('GET /api/auth/me', ({ viewer }) =>
    presentUser(deps, viewer.user, viewer.sessionHash),
  );
  router.public(
    'POST /api/auth/login',
    {
      rateLimits: ({ body, address, request }) =>
        limitLogins(deps, { name: body.username, address, request }),
    },
    async ({ body, request, reply }) => {
      const { user, token, isTwoStep } = await login(deps, body, toLoginContext(config, request));
      logLogin(request, user.id, isTwoStep ? 'password and code' : 'password');
      setSessionCookie(config, reply, token);
      await rememberDevice(deps, request, reply, { userId: user.id, isTwoStep });
      return presentUser(deps, user);
    },
  );
  router.public(
    'POST /api/auth/register',
    { rateLimits: limitPerAddress(accountLimits.registerByAddress) },
    async ({ body, request, reply }) => {
      const { user, token } = await register(deps, body, toLoginContext(config, request));
      logLogin(request, user.id, 'registration');
      setSessionCookie(config, reply, token);
      await rememberDevice(deps, request, reply, { userId: user.id, isTwoStep: false });
      return presentUser(deps, user);
    },
  );
  router.public(
    'POST /api/auth/reset-password/request',
    {
      rateLimits: ({ body, address, request }) =>
        limitResets(deps, { name: body.email, address, request }),
    },
    ({ body }) => requestReset(deps, body.email),
  );
  router.public(
    'POST /api/auth/reset-password/confirm',
    { rateLimits: limitPerAddress(accountLimits.confirmByAddress) },
    async ({ body, request, reply }) => {
      const { userId, isTwoStep } = await confirmReset(deps, body);
      const { id: reqId, ip } = request;
      request.log.info({ reqId, account: userId, ip }, 'Set a new password with a link.');
      // Someone who reads the account's mail didn't have to guess its password, but may still have to
      // guess its codes.
      if (isTwoStep) await forgetFailedLogins(deps, userId);
      else await rememberDevice(deps, request, reply, { userId, isTwoStep: false });
    },
  );
  router.user(
    'PATCH /api/users/:id',
    {
      rateLimits: ({ viewer, body }) => [
        ...limitPerUser(accountLimits.profileByUser)({ viewer }),
        ...(body.email === undefined || isSameAddress(viewer, body.email)
          ? []
          : [...limitPasswordChecks({ viewer }), ...limitEmailLinks(viewer, body.email)]),
      ],
    },
    async ({ viewer, params, body }) =>
      presentUser(deps, await updateProfile(deps, viewer, params.id, body), viewer.sessionHash),
  );
  router.user(
    'POST /api/me/email/link',
    {
      rateLimits: ({ viewer }) =>
        limitEmailLinks(viewer, findUnconfirmedEmail(viewer.user) ?? viewer.user.email),
    },
    ({ viewer }) => resendEmailLink(deps, viewer),
  );
  router.user('DELETE /api/me/email/change', ({ viewer }) => cancelEmailChange(deps, viewer));
  router.public(
    'POST /api/auth/email/confirm',
    { rateLimits: limitPerAddress(accountLimits.emailLinkByAddress) },
    ({ body }) => confirmEmail(deps, body.token),
  );
  router.public(
    'POST /api/auth/email/undo',
    { rateLimits: limitPerAddress(accountLimits.emailLinkByAddress) },
    ({ body }) => undoEmailChange(deps, body.token),
  );
  router.user(
    'PUT /api/users/:id/avatar',
    {
      bodyLimit: AVATAR_MAX_BYTES,
      rateLimits: limitPerUser(accountLimits.avatarByUser),
    },
    async ({ viewer, params, body }) =>
      presentUser(deps, await replaceAvatar(deps, viewer, params.id, body), viewer.sessionHash),
  );
  router.user('DELETE /api/users/:id/avatar', async ({ viewer, params }) =>
    presentUser(deps, await deleteAvatar(deps, viewer, params.id), viewer.sessionHash),
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

const firstCodeByUser = defineRateLimit({
  name: 'first-code-user',
  what: 'Codes entered to turn on two-step login, by one user',
  limit: 20,
  periodMs: HOUR,
});

export function registerSecurityRoutes(app: FastifyInstance, deps: Deps) {
  const router = createRouter(app, deps);
  router.user('POST /api/me/confirm', { rateLimits: limitPasswordChecks }, ({ viewer, body }) =>
    confirmDevice(deps, viewer, body),
  );
  router.user(
    'POST /api/me/password',
    { rateLimits: limitPasswordChecks },
    ({ viewer, body, request }) =>
      changePassword(deps, viewer, body, readSessionToken(deps.config, request)),
  );
  router.user('GET /api/me/totp', ({ viewer }) => getTotpState(deps, viewer));
  router.user('POST /api/me/totp', { rateLimits: limitPasswordChecks }, ({ viewer, body }) =>
    startTotpSetup(deps, viewer, body),
  );
  router.user(
    'POST /api/me/totp/confirm',
    { rateLimits: limitPerUser(firstCodeByUser) },
    async ({ viewer, body, request, reply }) => {
      const enabled = await enableTotp(deps, viewer, body);
      await rememberDevice(deps, request, reply, { userId: viewer.user.id, isTwoStep: true });
      return enabled;
    },
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

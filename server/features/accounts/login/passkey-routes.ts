import type { FastifyInstance } from 'fastify';
import { HOUR, MINUTE } from '#contract/rules/time.ts';
import type { Deps } from '../../../deps.ts';
import { defineRateLimit, limitPerAddress, limitPerUser } from '../../../http/route/rate-limit.ts';
import { createRouter } from '../../../http/route/route.ts';
import { setSessionCookie } from '../../../http/route/sessions.ts';
import { hashToken } from '../../../http/route/tokens.ts';
import { loginLimits, rememberDevice } from './known-devices.ts';
import {
  addPasskey,
  listPasskeys,
  logInWithPasskey,
  removePasskey,
  renamePasskey,
  startPasskey,
  startPasskeyLogin,
} from './passkeys.ts';
import { presentUser } from '../routes.ts';
import { logLogin, toLoginContext } from './login-context.ts';

/** Each writes a challenge. */
const startsByAddress = defineRateLimit({
  name: 'passkey-address',
  what: 'Logins with a passkey started from one address',
  limit: 50,
  periodMs: 15 * MINUTE,
});
const startsByUser = defineRateLimit({
  name: 'passkey-user',
  what: 'Passkeys that one user starts to add or to confirm with',
  limit: 30,
  periodMs: HOUR,
});

export function registerPasskeyRoutes(app: FastifyInstance, deps: Deps) {
  const router = createRouter(app, deps);
  const { config } = deps;

  router.public(
    'POST /api/auth/passkey/options',
    { rateLimits: limitPerAddress(startsByAddress) },
    () => startPasskeyLogin(deps),
  );
  router.public(
    'POST /api/auth/passkey',
    {
      rateLimits: ({ address }) => [
        { rule: loginLimits.byAddress, subject: address, isReleasedOnSuccess: true },
      ],
    },
    async ({ body, request, reply }) => {
      const context = toLoginContext(config, request);
      const { user, token } = await logInWithPasskey(deps, body, context);
      logLogin(request, user.id, 'passkey');
      setSessionCookie(config, reply, token);
      await rememberDevice(deps, request, reply, { userId: user.id, isTwoStep: true });
      return presentUser(deps, user, hashToken(token));
    },
  );

  router.user('GET /api/me/passkeys', ({ viewer }) => listPasskeys(deps, viewer));
  router.user(
    'POST /api/me/passkeys/options',
    { needsConfirmation: true, rateLimits: limitPerUser(startsByUser) },
    ({ viewer }) => startPasskey(deps, viewer),
  );
  router.user('POST /api/me/passkeys', { needsConfirmation: true }, ({ viewer, body, request }) =>
    addPasskey(deps, viewer, body, request.headers['user-agent'] ?? ''),
  );
  router.user('PATCH /api/me/passkeys/:id', ({ viewer, params, body }) =>
    renamePasskey(deps, viewer, params.id, body),
  );
  router.user('DELETE /api/me/passkeys/:id', { needsConfirmation: true }, ({ viewer, params }) =>
    removePasskey(deps, viewer, params.id),
  );
}

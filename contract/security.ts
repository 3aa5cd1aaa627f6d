import { z } from 'zod';
import { CurrentPassword, LoginCode, NewPassword } from './accounts.ts';
import { defineRoutes } from './route.ts';

export const ChangePasswordBody = z
  .strictObject({ currentPassword: CurrentPassword, newPassword: NewPassword })
  .refine((body) => body.newPassword !== body.currentPassword, {
    path: ['newPassword'],
    message: 'Choose a password that differs from the present one.',
  });

/** A sign-in on one device. It never carries the token, its hash or the address. */
export const DeviceSession = z.object({
  id: z.string(),
  /** `Firefox on Windows`. */
  device: z.string(),
  isCurrent: z.boolean(),
  createdAt: z.number(),
  /** To the hour. */
  lastSeenAt: z.number(),
});
export type DeviceSession = z.infer<typeof DeviceSession>;

export const TotpState = z.object({ isOn: z.boolean(), recoveryCodesLeft: z.int() });
export type TotpState = z.infer<typeof TotpState>;

export const BeginTotpBody = z.strictObject({ password: CurrentPassword });
export const ConfirmTotpBody = z.strictObject({ code: LoginCode });
/** Both steps at once, for what must not be done by somebody who finds a device signed in. */
export const BothStepsBody = z.strictObject({ password: CurrentPassword, code: LoginCode });

const SessionId = z.object({ id: z.string().regex(/^[0-9a-f]{32}$/) });

export const securityRoutes = defineRoutes({
  'GET /api/me/sessions': {
    summary: 'The devices signed in to your account, the last used first.',
    response: z.object({ items: z.array(DeviceSession) }),
    errors: ['unauthenticated'],
  },
  'DELETE /api/me/sessions': {
    summary: 'Sign out every other device at once.',
    errors: ['unauthenticated'],
  },
  'DELETE /api/me/sessions/:id': {
    summary: 'Sign out one device at once.',
    params: SessionId,
    errors: ['unauthenticated', 'not_found'],
  },
  'POST /api/me/password': {
    summary: 'Change your password. Every other device is signed out, and a mail tells you.',
    body: ChangePasswordBody,
    errors: ['unauthenticated', 'wrong_password', 'demo_account', 'rate_limited'],
  },
  'GET /api/me/totp': {
    summary: 'Whether a login asks for a code, and how many recovery codes are left.',
    response: TotpState,
    errors: ['unauthenticated'],
  },
  'POST /api/me/totp': {
    summary: 'Begin two-step login: a secret for an authenticator app, not in force yet.',
    body: BeginTotpBody,
    response: z.object({ secret: z.string(), uri: z.string() }),
    errors: ['unauthenticated', 'wrong_password', 'totp_on', 'demo_account', 'rate_limited'],
  },
  'POST /api/me/totp/confirm': {
    summary: 'Turn two-step login on with a first code. The recovery codes are answered only here.',
    body: ConfirmTotpBody,
    response: z.object({ recoveryCodes: z.array(z.string()) }),
    errors: ['unauthenticated', 'totp_invalid', 'totp_on', 'totp_not_begun', 'rate_limited'],
  },
  'POST /api/me/totp/recovery-codes': {
    summary: 'Make new recovery codes. The old ones stop working, and a mail tells you.',
    body: BothStepsBody,
    response: z.object({ recoveryCodes: z.array(z.string()) }),
    errors: ['unauthenticated', 'wrong_password', 'totp_invalid', 'not_found', 'rate_limited'],
  },
  'DELETE /api/me/totp': {
    summary: 'Turn two-step login off.',
    body: BothStepsBody,
    errors: ['unauthenticated', 'wrong_password', 'totp_invalid', 'not_found', 'rate_limited'],
  },
});

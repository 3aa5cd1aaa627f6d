import { z } from 'zod';
import { CurrentPassword, LoginCode, NewPassword } from './accounts.ts';
import { shortListOf } from './paging.ts';
import { defineRoutes } from './route.ts';

export const ChangePasswordBody = z
  .strictObject({ currentPassword: CurrentPassword, newPassword: NewPassword })
  .refine((body) => body.newPassword !== body.currentPassword, {
    path: ['newPassword'],
    message: 'Choose a password different from your current one.',
  });

/** A session on one device, without its token, hash or address. */
export const DeviceSession = z.object({
  id: z.string(),
  /** `Firefox on Windows`. */
  device: z.string(),
  isCurrent: z.boolean(),
  createdAt: z.number(),
  /** Rounded to the hour. */
  lastSeenAt: z.number(),
});
export type DeviceSession = z.infer<typeof DeviceSession>;

export const TotpState = z.object({ isOn: z.boolean(), recoveryCodesLeft: z.int() });
export type TotpState = z.infer<typeof TotpState>;

export const StartTotpBody = z.strictObject({ password: CurrentPassword });
export const ConfirmTotpBody = z.strictObject({ code: LoginCode });
/** For actions that someone with a logged-in device must not be able to do. */
export const PasswordAndCodeBody = z.strictObject({ password: CurrentPassword, code: LoginCode });

/** The code is needed if two-step login is on. */
export const ConfirmIdentityBody = z.strictObject({
  password: CurrentPassword,
  code: LoginCode.optional(),
});

const SessionId = z.object({ id: z.string().regex(/^[0-9a-f]{32}$/) });

export const securityRoutes = defineRoutes({
  'GET /api/me/sessions': {
    summary: 'List the devices logged in to your account, most recently used first.',
    response: shortListOf(DeviceSession),
    errors: ['unauthenticated'],
  },
  'DELETE /api/me/sessions': {
    summary: 'Log out all other devices.',
    errors: ['unauthenticated'],
  },
  'DELETE /api/me/sessions/:id': {
    summary: 'Log out one device.',
    params: SessionId,
    errors: ['unauthenticated', 'not_found'],
  },
  'POST /api/me/confirm': {
    summary:
      'Enter the password again. For ten minutes, this device may then call routes that answer confirmation_required otherwise.',
    body: ConfirmIdentityBody,
    errors: ['unauthenticated', 'wrong_password', 'totp_required', 'totp_invalid', 'rate_limited'],
  },
  'POST /api/me/password': {
    summary: 'Change your password. Logs out all other devices and sends you an e-mail.',
    body: ChangePasswordBody,
    errors: ['unauthenticated', 'wrong_password', 'demo_account', 'rate_limited'],
  },
  'GET /api/me/totp': {
    summary: 'Whether two-step login is on, and how many recovery codes are left.',
    response: TotpState,
    errors: ['unauthenticated'],
  },
  'POST /api/me/totp': {
    summary: 'Start setting up two-step login; returns the secret for an authenticator app.',
    body: StartTotpBody,
    response: z.object({ secret: z.string(), uri: z.string() }),
    errors: ['unauthenticated', 'wrong_password', 'totp_on', 'demo_account', 'rate_limited'],
  },
  'POST /api/me/totp/confirm': {
    summary: 'Turn on two-step login with a first code; returns the recovery codes once.',
    body: ConfirmTotpBody,
    response: z.object({ recoveryCodes: z.array(z.string()) }),
    errors: ['unauthenticated', 'totp_invalid', 'totp_on', 'totp_not_started', 'rate_limited'],
  },
  'POST /api/me/totp/recovery-codes': {
    summary: 'Generate new recovery codes. The old ones stop working and you get an e-mail.',
    body: PasswordAndCodeBody,
    response: z.object({ recoveryCodes: z.array(z.string()) }),
    errors: ['unauthenticated', 'wrong_password', 'totp_invalid', 'not_found', 'rate_limited'],
  },
  'DELETE /api/me/totp': {
    summary: 'Turn two-step login off.',
    body: PasswordAndCodeBody,
    errors: ['unauthenticated', 'wrong_password', 'totp_invalid', 'not_found', 'rate_limited'],
  },
});

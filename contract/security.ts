import { z } from 'zod';
import { CurrentPassword, LoginCode, NewPassword, User } from './accounts.ts';
import { shortListOf } from './paging.ts';
import { defineRoutes } from './route.ts';

export const ChangePasswordBody = z
  .strictObject({
    currentPassword: CurrentPassword,
    newPassword: NewPassword,
    /** Needed if two-step login is on. */
    code: LoginCode.optional(),
  })
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

export const TotpState = z.object({
  isOn: z.boolean(),
  recoveryCodesLeft: z.int(),
  /** Whether it can be turned on: that needs an e-mail address whose link was opened. */
  isEmailConfirmed: z.boolean(),
});
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
    summary: 'Log out all other devices. Also ends the passwords of music apps.',
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
    summary:
      'Change your password. Logs out all other devices, ends the passwords of music apps, and sends you an e-mail.',
    body: ChangePasswordBody,
    errors: ['unauthenticated', 'wrong_password', 'totp_required', 'totp_invalid', 'rate_limited'],
  },
  'GET /api/me/totp': {
    summary:
      'Whether two-step login is on or can be turned on, and how many recovery codes are left.',
    response: TotpState,
    errors: ['unauthenticated'],
  },
  'POST /api/me/totp': {
    summary:
      'Start setting up two-step login; returns the secret for an authenticator app. Needs a confirmed e-mail address.',
    body: StartTotpBody,
    response: z.object({ secret: z.string(), uri: z.string() }),
    errors: ['unauthenticated', 'wrong_password', 'email_unconfirmed', 'totp_on', 'rate_limited'],
  },
  'POST /api/me/totp/confirm': {
    summary: 'Turn on two-step login with a first code; returns the recovery codes once.',
    body: ConfirmTotpBody,
    response: z.object({ recoveryCodes: z.array(z.string()) }),
    errors: [
      'unauthenticated',
      'totp_invalid',
      'email_unconfirmed',
      'totp_on',
      'totp_not_started',
      'rate_limited',
    ],
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

export const MAX_PASSKEYS = 10;

/** A way to log in without a password: a key on the user's device or in their password manager. */
export const Passkey = z.object({
  id: z.string(),
  name: z.string(),
  /** On all devices of the user, through their password manager. */
  isSynced: z.boolean(),
  createdAt: z.number(),
  lastUsedAt: z.number().nullable(),
});
export type Passkey = z.infer<typeof Passkey>;

const PasskeyName = z
  .string()
  .trim()
  .min(1, 'Enter a name.')
  .max(60, 'Use at most 60 characters.')
  .regex(/^\P{Cc}*$/u, 'Use one line of text.');
export const PasskeyNameBody = z.strictObject({ name: PasskeyName });

const bytes = (max: number) =>
  z
    .string()
    .regex(/^[\w-]+$/)
    .max(max);
const credential = { id: bytes(1400), rawId: bytes(1400), type: z.literal('public-key') };

/** What the browser answers to the options; the same names as in WebAuthn. */
export const NewPasskeyBody = z.strictObject({
  credential: z.object({
    ...credential,
    response: z.object({
      clientDataJSON: bytes(4000),
      attestationObject: bytes(40_000),
      transports: z.array(z.string().max(32)).max(10).optional(),
    }),
  }),
});
export const PasskeyLoginBody = z.strictObject({
  credential: z.object({
    ...credential,
    response: z.object({
      clientDataJSON: bytes(4000),
      authenticatorData: bytes(4000),
      signature: bytes(4000),
      userHandle: bytes(200).optional(),
    }),
  }),
});

/** As WebAuthn defines them, for the browser. */
const Options = z.looseObject({ challenge: z.string() });

const params = z.object({ id: z.string().max(64) });
const errors = ['unauthenticated', 'not_found'] as const;

export const passkeyRoutes = defineRoutes({
  'POST /api/auth/passkey/options': {
    summary: 'Start a login with a passkey. The challenge works once, for five minutes.',
    response: Options,
    errors: ['passkeys_unavailable', 'rate_limited'],
  },
  'POST /api/auth/passkey': {
    summary:
      'Log in with a passkey and receive a session cookie. Needs no code: the device has checked the user.',
    body: PasskeyLoginBody,
    response: User,
    errors: ['passkey_refused', 'passkeys_unavailable', 'account_disabled', 'rate_limited'],
  },
  'GET /api/me/passkeys': {
    summary: 'List your passkeys, oldest first.',
    response: shortListOf(Passkey),
    errors: ['unauthenticated'],
  },
  'POST /api/me/passkeys/options': {
    summary: 'Start adding a passkey. The challenge works once, for five minutes.',
    response: Options,
    errors: [
      'unauthenticated',
      'confirmation_required',
      'passkey_limit',
      'passkeys_unavailable',
      'rate_limited',
    ],
  },
  'POST /api/me/passkeys': {
    summary: 'Add a passkey. You get an e-mail.',
    body: NewPasskeyBody,
    response: Passkey,
    errors: [
      'unauthenticated',
      'confirmation_required',
      'passkey_refused',
      'passkey_limit',
      'passkeys_unavailable',
    ],
  },
  'PATCH /api/me/passkeys/:id': {
    summary: 'Rename a passkey.',
    params,
    body: PasskeyNameBody,
    response: Passkey,
    errors,
  },
  'DELETE /api/me/passkeys/:id': {
    summary: 'Remove a passkey. You get an e-mail.',
    params,
    errors: [...errors, 'confirmation_required'],
  },
});

import { z } from 'zod';
import { User } from './accounts.ts';
import { shortListOf } from './paging.ts';
import { defineRoutes } from './route.ts';

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

export const PasskeyName = z
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
      'demo_account',
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
      'demo_account',
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

import { z } from 'zod';
import { CurrentPassword, LoginCode } from './accounts.ts';
import { defineRoutes } from './route.ts';

export const DELETE_WORD = 'delete';

export const DeleteAccountBody = z.strictObject({
  password: CurrentPassword,
  /** Only where two-step login is on. */
  code: LoginCode.optional(),
  confirmation: z
    .string()
    .max(40)
    .trim()
    .toLowerCase()
    .pipe(z.literal(DELETE_WORD, `Type ${DELETE_WORD} to confirm.`)),
});

export const privacyRoutes = defineRoutes({
  'GET /api/me/export': {
    summary: 'Everything we keep about you, as one ZIP archive.',
    response: 'file',
    errors: ['unauthenticated', 'rate_limited'],
  },
  'DELETE /api/me': {
    summary: 'Delete your account and everything personal, for good.',
    body: DeleteAccountBody,
    errors: [
      'unauthenticated',
      'wrong_password',
      'totp_required',
      'totp_invalid',
      'demo_account',
      'last_admin',
      'rate_limited',
    ],
  },
});

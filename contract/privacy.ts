import { z } from 'zod';
import { CurrentPassword, LoginCode } from './accounts.ts';
import { defineRoutes } from './route.ts';

export const DELETE_WORD = 'delete';

export const DeleteAccountBody = z.strictObject({
  password: CurrentPassword,
  /** Required if two-step login is on. */
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
    summary: 'Download everything we store about you as a ZIP archive.',
    response: 'file',
    errors: ['unauthenticated', 'rate_limited'],
  },
  'DELETE /api/me': {
    summary: 'Permanently delete your account and all personal data.',
    body: DeleteAccountBody,
    errors: [
      'unauthenticated',
      'wrong_password',
      'totp_required',
      'totp_invalid',
      'last_admin',
      'rate_limited',
    ],
  },
});

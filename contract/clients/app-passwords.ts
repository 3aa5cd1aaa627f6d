import { z } from 'zod';
import { shortListOf } from '../paging.ts';
import { defineRoutes } from '../route.ts';

export const MAX_APP_PASSWORDS = 10;

/** A password that one music app has instead of the account's. It can listen, and nothing else. */
export const AppPassword = z.object({
  id: z.string(),
  name: z.string(),
  createdAt: z.number(),
  /** To the hour; null until an app has used it. */
  lastUsedAt: z.number().nullable(),
  /** What the app that last used it calls itself. */
  lastClient: z.string().nullable(),
  /** The networks from which audio was loaded with it in the last seven days. */
  networks: z.int(),
  /** More networks than one person’s devices have. */
  isShared: z.boolean(),
});
export type AppPassword = z.infer<typeof AppPassword>;

export const AppPasswordBody = z.strictObject({
  name: z
    .string()
    .trim()
    .min(1, 'Enter a name.')
    .max(60, 'Use at most 60 characters.')
    .regex(/^\P{Cc}*$/u, 'Use one line of text.'),
});

export const appPasswordRoutes = defineRoutes({
  'GET /api/me/app-passwords': {
    summary: 'List the passwords of your music apps, oldest first.',
    response: shortListOf(AppPassword),
    errors: ['unauthenticated'],
  },
  'POST /api/me/app-passwords': {
    summary:
      'Create a password for a music app. The response is the only one that contains the password.',
    body: AppPasswordBody,
    response: z.object({ appPassword: AppPassword, password: z.string() }),
    errors: ['unauthenticated', 'confirmation_required', 'app_password_limit', 'rate_limited'],
  },
  'DELETE /api/me/app-passwords/:id': {
    summary: 'Delete the password of a music app, which then can’t connect any more.',
    params: z.object({ id: z.string().max(64) }),
    errors: ['unauthenticated', 'not_found'],
  },
});

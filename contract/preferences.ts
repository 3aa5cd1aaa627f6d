import { z } from 'zod';
import { defineRoutes } from './route.ts';

/** What a member decides about being written to and counted. Mails about payments are always sent. */
export const Preferences = z.object({
  releaseMails: z.boolean(),
  newsMails: z.boolean(),
  analytics: z.boolean(),
});
export type Preferences = z.infer<typeof Preferences>;

export const defaultPreferences: Preferences = {
  releaseMails: true,
  newsMails: false,
  analytics: true,
};

export const PreferencesBody = z
  .strictObject(Preferences.partial().shape)
  .refine((body) => Object.values(body).some((value) => value !== undefined), {
    message: 'Change at least one preference.',
  });
export type PreferencesChange = z.output<typeof PreferencesBody>;

export const preferenceRoutes = defineRoutes({
  'GET /api/me/preferences': {
    summary: 'What you decided about mails and statistics.',
    response: Preferences,
    errors: ['unauthenticated'],
  },
  'PATCH /api/me/preferences': {
    summary: 'Decide about mails and statistics.',
    body: PreferencesBody,
    response: Preferences,
    errors: ['unauthenticated', 'rate_limited'],
  },
});

import { z } from 'zod';
import { defineRoutes } from './route.ts';

/** E-mails and analytics that a user agrees to. E-mails about payments are always sent. */
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

const PreferencesBody = z
  .strictObject(Preferences.partial().shape)
  .refine((body) => Object.values(body).some((value) => value !== undefined), {
    message: 'Change at least one preference.',
  });
export type PreferencesChange = z.output<typeof PreferencesBody>;

export const preferenceRoutes = defineRoutes({
  'GET /api/me/preferences': {
    summary: 'Get your choices about e-mails and analytics.',
    response: Preferences,
    errors: ['unauthenticated'],
  },
  'PATCH /api/me/preferences': {
    summary: 'Change your choices about e-mails and analytics.',
    body: PreferencesBody,
    response: Preferences,
    errors: ['unauthenticated', 'rate_limited'],
  },
});

import { z } from 'zod';
import { defineRoutes } from './route.ts';

const whole = (min: number, max: number, sentence: string) =>
  z.int(sentence).min(min, sentence).max(max, sentence);

export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

const cents = whole(100, 100_000_00, 'Enter a price from R1 to R100,000.');

/** What whoever runs the site may set while it runs. */
export const SettingValues = z.strictObject({
  siteName: z
    .string()
    .trim()
    .min(1, 'Enter a name.')
    .max(60, 'Use at most 60 characters.')
    .regex(/^\P{Cc}+$/u, 'Use one line of text.'),
  timeZone: z
    .string()
    .trim()
    .max(64)
    .refine(isTimeZone, 'Enter a time zone such as Africa/Johannesburg.'),
  /** Cents. Holds for new checkouts; who subscribed before keeps their price. */
  monthlyPrice: cents,
  annualPrice: cents,
  /** Days before the first payment of who has never paid; 0 for no trial. */
  trialDays: whole(0, 90, 'Enter a number of days from 0 to 90.'),
  /** Days of access after the end of what was paid for. */
  graceDays: whole(0, 60, 'Enter a number of days from 0 to 60.'),
  /** The hour of the day at which a mix goes out unless its form says otherwise. */
  releaseHour: whole(0, 23, 'Enter an hour from 0 to 23.'),
  /** How long before its public hour subscribers get a mix. */
  earlyAccessHours: whole(0, 336, 'Enter a number of hours from 0 to 336.'),
  /** How long it is kept who did what on the pages; the daily numbers stay. */
  eventsDays: whole(30, 3650, 'Enter a number of days from 30 to 3650.'),
});
export type SettingValues = z.infer<typeof SettingValues>;
export type SettingName = keyof SettingValues;

export const SiteSettings = z.object({
  /** Moves with every change. */
  version: z.int(),
  values: z.object(SettingValues.shape),
  /** Those that the environment decides. */
  fixed: z.array(z.string()),
  /** Where messages go; null when they are kept instead of sent. */
  mailFrom: z.string().nullable(),
});
export type SiteSettings = z.infer<typeof SiteSettings>;

export const settingRoutes = defineRoutes({
  'GET /api/admin/settings': {
    summary: 'What is set for the whole site.',
    response: SiteSettings,
    errors: ['unauthenticated', 'not_found'],
  },
  'PATCH /api/admin/settings': {
    summary: 'Change some of it, as it was when it was read.',
    body: z.strictObject({ version: z.int(), values: SettingValues.partial() }),
    response: SiteSettings,
    errors: ['unauthenticated', 'not_found', 'settings_changed', 'settings_fixed'],
  },
  'POST /api/admin/settings/test-mail': {
    summary: 'Send a message to yourself, now, and say what became of it.',
    response: z.object({ to: z.string(), isSent: z.boolean() }),
    errors: ['unauthenticated', 'not_found', 'mail_refused', 'rate_limited'],
  },
});

import { z } from 'zod';
import { defineRoutes } from '../route.ts';

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

/** What administrators can set while the site runs. */
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
  /** In cents, for new checkouts; existing subscribers keep their price. */
  monthlyPrice: cents,
  annualPrice: cents,
  /** Days before the first payment of users who have never paid; 0 for no trial. */
  trialDays: whole(0, 90, 'Enter a number of days from 0 to 90.'),
  /** Days of access after the paid period. */
  graceDays: whole(0, 60, 'Enter a number of days from 0 to 60.'),
  /** The day of the week that mixes come out on, 0 for Monday. */
  releaseDay: whole(0, 6, 'Choose a day of the week.'),
  /** The default hour of the day for a release. */
  releaseHour: whole(0, 23, 'Enter an hour from 0 to 23.'),
  /** How early subscribers get a track. */
  earlyAccessHours: whole(0, 336, 'Enter a number of hours from 0 to 336.'),
  /** How long single analytics events are stored; daily totals stay. */
  eventsDays: whole(30, 3650, 'Enter a number of days from 30 to 3650.'),
});
export type SettingValues = z.infer<typeof SettingValues>;
export type SettingName = keyof SettingValues;

export const SiteSettings = z.object({
  /** Increases with every change. */
  version: z.int(),
  values: z.object(SettingValues.shape),
  /** Set in the environment. */
  fixed: z.array(z.string()),
  /** The sender of e-mails; null if there is no mail server. */
  mailFrom: z.string().nullable(),
});
export type SiteSettings = z.infer<typeof SiteSettings>;

export const settingRoutes = defineRoutes({
  'GET /api/admin/settings': {
    summary: 'Get the site settings.',
    response: SiteSettings,
    errors: ['unauthenticated', 'not_found'],
  },
  'PATCH /api/admin/settings': {
    summary: 'Change site settings, unless someone else changed them meanwhile.',
    body: z.strictObject({ version: z.int(), values: SettingValues.partial() }),
    response: SiteSettings,
    errors: ['unauthenticated', 'not_found', 'settings_changed', 'settings_fixed'],
  },
  'POST /api/admin/settings/test-mail': {
    summary: 'Send yourself a test e-mail.',
    response: z.object({ to: z.string(), isSent: z.boolean() }),
    errors: ['unauthenticated', 'not_found', 'mail_refused', 'rate_limited'],
  },
});

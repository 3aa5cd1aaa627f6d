import { z } from 'zod';
import { mailWordsFields } from './mails.ts';
import { lookFields } from '../look.ts';
import { defineRoutes } from '../route.ts';
import { MAX_EARLY_ACCESS_HOURS } from '../rules/access.ts';
import { listWords } from '../rules/moments.ts';
import { isDay } from '../rules/report-days.ts';
import { line, Lines, VatNumber } from '../rules/text-fields.ts';

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

const VatRate = z.strictObject({
  percent: z
    .number('Enter a percentage such as 15 or 15.5.')
    .min(0.01, 'Enter a percentage from 0.01 to 50.')
    .max(50, 'Enter a percentage from 0.01 to 50.')
    .multipleOf(0.01, 'Use at most two decimals.'),
  /** The first day, in the site's time zone. */
  from: z.string().refine(isDay, 'Choose a day.'),
});
type VatRate = z.infer<typeof VatRate>;

/** Tax periods of the VAT201: two months that end in an odd or an even month, or one month. */
export const VAT_CATEGORIES = ['A', 'B', 'C'] as const;

const WordList = z
  .string()
  .overwrite((text) => listWords(text).join('\n'))
  .max(20_000, 'Use at most 20,000 characters.')
  .regex(/^\P{Cc}*(?:\n\P{Cc}*){0,999}$/u, 'Use up to 1,000 lines of text.');

const cents = whole(100, 100_000_00, 'Enter a price from R1 to R100,000.');

/** Bundles cost a few rand to some hundred a gigabyte, data without a bundle up to two thousand. */
const dataPrice = whole(
  100,
  2000_00,
  'Enter a price from R1 to R2,000, or leave it empty.',
).nullable();

/** What administrators can set while the site runs. */
export const SettingValues = z.strictObject({
  ...lookFields,
  ...mailWordsFields,
  timeZone: z
    .string()
    .trim()
    .max(64)
    .refine(isTimeZone, 'Enter a time zone such as Africa/Johannesburg.'),
  /** In cents, for new checkouts; existing subscribers keep their price. */
  monthlyPrice: cents,
  annualPrice: cents,
  /** In cents: what members pay for a gigabyte of mobile data; null says no prices of data. */
  dataPrice,
  /** Days before the first payment of users who have never paid; 0 for no trial. */
  trialDays: whole(0, 90, 'Enter a number of days from 0 to 90.'),
  /** Days of access after the paid period. */
  graceDays: whole(0, 60, 'Enter a number of days from 0 to 60.'),
  /** Days after the first payment in which a member can cancel and get it back; 0 for none. */
  coolingOffDays: whole(0, 90, 'Enter a number of days from 0 to 90.'),
  /** After a year a subscription continues monthly, unless the member chooses another year. */
  continueMonthly: z.boolean(),
  /** Renewals are charged; off stops all of them within a minute. */
  areRenewalsOn: z.boolean(),
  /** A brake: no more cards than this are charged in an hour. */
  chargesPerHour: whole(1, 100_000, 'Enter a number from 1 to 100,000.'),
  /** On how many devices an account can listen at the same time. */
  streamsPerAccount: whole(1, 50, 'Enter a number of devices from 1 to 50.'),
  /** The day of the week that mixes come out on, 0 for Monday. */
  releaseDay: whole(0, 6, 'Choose a day of the week.'),
  /** The default hour of the day for a release. */
  releaseHour: whole(0, 23, 'Enter an hour from 0 to 23.'),
  /** How many e-mails the mail server's host allows in an hour; 0 for no limit. */
  mailsPerHour: whole(0, 100_000, 'Enter a number from 0 to 100,000.'),
  /** Members can leave moments. */
  areMomentsOn: z.boolean(),
  /** One word or phrase per line. */
  forbiddenWords: WordList,
  /** How early subscribers get a track. */
  earlyAccessHours: whole(
    0,
    MAX_EARLY_ACCESS_HOURS,
    `Enter a number of hours from 0 to ${MAX_EARLY_ACCESS_HOURS}.`,
  ),
  /** Everyone reads when the next mix comes out, and can subscribe to a calendar of releases. */
  isNextAnnounced: z.boolean(),
  /** How many seconds of a mix all its clips together may give away; 0 turns clips off. */
  clipSeconds: whole(0, 600, 'Enter a number of seconds from 0 to 600.'),
  /** How long single analytics events are stored; daily totals stay. */
  eventsDays: whole(30, 3650, 'Enter a number of days from 30 to 3650.'),
  /** The seller's legal name, on invoices and legal pages. */
  sellerName: line(120),
  /** Such as `Sole proprietor` or `Private company`. */
  sellerStatus: line(80),
  /** A street address of several lines. */
  sellerAddress: Lines,
  sellerRegistration: line(60),
  sellerVatNumber: VatNumber,
  sellerPhone: z
    .string()
    .trim()
    .regex(/^(?:[+(\d][\d\s().-]{5,30})?$/, 'Enter a phone number such as +27 11 555 0100.'),
  sellerEmail: z
    .string()
    .trim()
    .max(254)
    .refine((text) => text === '' || z.email().safeParse(text).success, 'Enter an e-mail address.'),
  /** Prices include VAT, and invoices are tax invoices. */
  isVatCharged: z.boolean(),
  /** Each holds until the next one begins. A payment from before the first has no VAT. */
  vatRates: z
    .array(VatRate)
    .min(1, 'Enter a rate.')
    .max(20, 'Use at most 20 rates.')
    .overwrite((rates) => rates.toSorted((a, b) => (a.from < b.from ? -1 : 1)))
    .refine(
      (rates) => new Set(rates.map(({ from }) => from)).size === rates.length,
      'Two rates begin on the same day.',
    ),
  /** How often the seller reports VAT: every two months (A or B), or every month (C). */
  vatCategory: z.enum(VAT_CATEGORIES, { error: 'Choose a category.' }),
  /** The last month of the financial year: 2 for February. */
  yearEndMonth: whole(1, 12, 'Choose a month.'),
  /** What the seller's accounting program calls the account for sales and the VAT rate. */
  salesAccount: line(8),
  vatRateName: line(50),
});
export type SettingValues = z.infer<typeof SettingValues>;
export type SettingName = keyof SettingValues;

type Seller = Pick<SettingValues, Extract<SettingName, `seller${string}`>>;

const sellerFields = {
  sellerName: 'legal name',
  sellerStatus: 'legal status',
  sellerAddress: 'address',
  sellerPhone: 'phone number',
  sellerEmail: 'e-mail address',
} as const satisfies Partial<Record<SettingName, string>>;

/** What the law requires a seller to publish but is still empty: `legal name`, `address`. */
export const findMissingSellerData = (seller: Seller): string[] =>
  Object.entries(sellerFields)
    .filter(([name]) => seller[name as keyof typeof sellerFields] === '')
    .map(([, label]) => label);

/** A tax invoice needs all of these. */
export const VAT_SELLER_FIELDS = ['sellerName', 'sellerAddress', 'sellerVatNumber'] as const;

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

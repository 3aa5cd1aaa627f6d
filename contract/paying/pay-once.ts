import { z } from 'zod';
import { Email } from '../accounts.ts';
import { Subscription } from '../billing.ts';
import { InvoicePage } from '../paying/invoices.ts';
import { defineRoutes } from '../route.ts';
import { CURRENCY, ONCE_MONTHS } from '../rules/plans.ts';

const cents = z.int().min(0);
const time = z.int();
const currency = z.literal(CURRENCY);
const months = z.literal(ONCE_MONTHS);
const day = z.iso.date('Enter a day like 2026-12-24.');
const reference = z.object({ reference: z.string().max(64) });

/** The price that the page showed: if it has changed since, nothing is started. */
const amount = cents;

const MAX_WORDS = 280;

/** Mail from us must not contain other people's links. */
const hasNoLink = (text: string): boolean => !/:\/\/|www\./i.test(text);
const NO_LINK = 'Leave out links: the gift has its own.';

const GiftFrom = z
  .string()
  .trim()
  .min(1, 'Enter who it’s from.')
  .max(60, 'Use at most 60 characters.')
  .regex(/^[^\p{Cc}\u202A-\u202E\u2066-\u2069]*$/u, 'Write it on one line.')
  .refine(hasNoLink, NO_LINK);

const GiftWords = z
  .string()
  .trim()
  .max(MAX_WORDS, `Use at most ${MAX_WORDS} characters.`)
  .regex(/^(?:[^\p{Cc}\u202A-\u202E\u2066-\u2069]|\n)*$/u, 'Contains an invalid character.')
  .refine(hasNoLink, NO_LINK);

export const NewGift = z.strictObject({
  months,
  amount,
  from: GiftFrom,
  words: GiftWords.default(''),
  /** Where the receipt goes. A member's own address if absent. */
  email: Email.optional(),
  /** By mail on that day, in the site's time zone; null for a link to give. */
  recipient: z.strictObject({ email: Email, day }).nullable(),
});
export type NewGift = z.input<typeof NewGift>;

/**
 * `pending`: the bank says it's on its way. `returned`: it was paid, but it can't count and goes back.
 * `void`: it was refunded, so its link no longer works.
 */
export const BoughtGift = z.object({
  state: z.enum(['open', 'pending', 'paid', 'failed', 'returned', 'void']),
  months: z.int(),
  amount: cents,
  currency,
  from: z.string(),
  words: z.string(),
  /** Of the buyer; null after their account was deleted. */
  email: z.string().nullable(),
  recipient: z.object({ email: z.string(), day: z.string(), sentAt: time.nullable() }).nullable(),
  /** The link to give; null while it isn't paid for. */
  url: z.string().nullable(),
  isRedeemed: z.boolean(),
  at: time,
});
export type BoughtGift = z.infer<typeof BoughtGift>;

/** What a member who pays once may want to know or do now. */
export const PaidOnce = z.object({
  /** The time that was paid for ends soon: the same months again. */
  again: z.object({ months, amount: cents, until: time }).nullable(),
  /** The same time had already been paid for in another way: until then the user can get this back. */
  returnable: z
    .object({ reference: z.string(), months: z.int(), amount: cents, until: time })
    .nullable(),
  /** A bank said that it was on its way, and then that it failed. */
  failed: z.object({ reference: z.string(), months: z.int(), amount: cents, at: time }).nullable(),
});
export type PaidOnce = z.infer<typeof PaidOnce>;

const url = z.object({ url: z.string() });
const startErrors = [
  'price_changed',
  'amount_too_small',
  'provider_unavailable',
  'rate_limited',
] as const;

export const payOnceRoutes = defineRoutes({
  'GET /api/pay-once': {
    summary: 'What you paid once: what ends soon, failed, or can be had back.',
    response: PaidOnce,
    errors: ['unauthenticated'],
  },
  'POST /api/pay-once': {
    summary: 'Pay for some months once; returns the payment URL. Nothing renews.',
    body: z.strictObject({ months, amount, coupon: z.string().max(64).optional() }),
    response: url,
    errors: ['unauthenticated', 'coupon_invalid', ...startErrors],
  },
  'POST /api/pay-once/:reference/return': {
    summary: 'Get back a payment that arrived after the same time was paid in another way.',
    params: reference,
    response: PaidOnce,
    errors: ['unauthenticated', 'not_found', 'provider_unavailable', 'rate_limited'],
  },
  'POST /api/bought-gifts': {
    summary: 'Buy a gift, with or without an account; returns the payment URL.',
    body: NewGift,
    response: z.object({ url: z.string(), reference: z.string() }),
    errors: startErrors,
  },
  'GET /api/bought-gifts/:reference': {
    summary: 'A gift that was bought: its state, and its link once it is paid for.',
    params: reference,
    response: BoughtGift,
    errors: ['not_found', 'rate_limited'],
  },
  'POST /api/bought-gifts/:reference/send': {
    summary: 'Send the gift’s e-mail again, to the recipient or, before that, to the buyer.',
    params: reference,
    response: BoughtGift,
    errors: ['not_found', 'gift_void', 'gift_redeemed', 'rate_limited'],
  },
  'POST /api/admin/invoices/:id/refund': {
    summary: 'Refund an invoice that belongs to no account, such as that of a visitor’s gift.',
    params: z.object({ id: z.string().max(64) }),
    body: z.strictObject({
      /** Cents. */
      amount: z.int().min(1),
      reason: z.string().trim().min(1, 'Enter a reason.').max(500),
    }),
    errors: [
      'unauthenticated',
      'not_found',
      'confirmation_required',
      'refund_refused',
      'provider_unavailable',
    ],
  },
  'GET /api/bought-gifts/:reference/invoice': {
    summary: 'The invoice of a bought gift, with everything needed to print it.',
    params: reference,
    response: InvoicePage,
    errors: ['not_found', 'rate_limited'],
  },
  'GET /api/gifts/:token': {
    summary: 'What a gift link contains.',
    params: z.object({ token: z.string().max(64) }),
    response: z.object({
      months: z.int(),
      from: z.string(),
      words: z.string(),
      isRedeemed: z.boolean(),
    }),
    errors: ['not_found', 'gift_void'],
  },
  'POST /api/gifts/:token/redeem': {
    summary: 'Redeem a gift; it starts when the access you have ends.',
    params: z.object({ token: z.string().max(64) }),
    response: Subscription,
    errors: ['unauthenticated', 'not_found', 'gift_void', 'gift_redeemed'],
  },
});

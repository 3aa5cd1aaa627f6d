import { z } from 'zod';
import { PlanName } from '../billing.ts';
import { defineRoutes } from '../route.ts';

const time = z.int();
const cents = z.int();

/** 20 business days: a month's warning of a higher price. */
const MIN_NOTICE_DAYS = 28;
export const DEFAULT_NOTICE_DAYS = 30;
const MAX_NOTICE_DAYS = 365;

const noticeText = `Enter a number of days from ${MIN_NOTICE_DAYS} to ${MAX_NOTICE_DAYS}.`;
const priceText = 'Enter a price from R1 to R100,000.';

export const NewPriceChange = z.strictObject({
  plan: PlanName,
  /** Cents. */
  amount: z.int(priceText).min(100, priceText).max(100_000_00, priceText),
  /** New checkouts cost the new price from then on. */
  startsAt: z.int('Choose a date.').min(0, 'Choose a date.').max(8.64e15, 'Choose a date.'),
  /** How long before their first payment at a higher price subscribers are told. */
  noticeDays: z
    .int(noticeText)
    .min(MIN_NOTICE_DAYS, noticeText)
    .max(MAX_NOTICE_DAYS, noticeText)
    .default(DEFAULT_NOTICE_DAYS),
});

export const PriceChange = z.object({
  id: z.string(),
  plan: PlanName,
  oldAmount: cents,
  amount: cents,
  startsAt: time,
  noticeDays: z.int(),
  /** `planned` until its date, then `current` until another one replaces it. */
  state: z.enum(['planned', 'current', 'replaced', 'cancelled']),
  /** How many subscribers were told, and for how many the next payment already has the new price. */
  told: z.int(),
  applied: z.int(),
  canCancel: z.boolean(),
  createdAt: time,
});
export type PriceChange = z.infer<typeof PriceChange>;

export const Prices = z.object({
  monthly: cents,
  annual: cents,
  /** The smallest payment that the provider accepts. */
  minimumAmount: cents,
  /** Newest first. */
  changes: z.array(PriceChange),
});
export type Prices = z.infer<typeof Prices>;

export const priceRoutes = defineRoutes({
  'GET /api/admin/prices': {
    summary: 'What Premium costs, and the newest price changes.',
    response: Prices,
    errors: ['unauthenticated', 'not_found'],
  },
  'POST /api/admin/prices/changes': {
    summary: 'Plan a price change. Subscribers are told, and keep the old price until then.',
    body: NewPriceChange,
    response: Prices,
    errors: ['unauthenticated', 'not_found', 'price_change_pending', 'provider_unavailable'],
  },
  'POST /api/admin/prices/changes/:id/cancel': {
    summary: 'Cancel a planned price change; subscribers are told again.',
    params: z.object({ id: z.string().max(64) }),
    response: Prices,
    errors: ['unauthenticated', 'not_found', 'price_change_started'],
  },
});

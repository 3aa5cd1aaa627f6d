import { z } from 'zod';
import { PlanName } from '../billing.ts';
import { PageQuery, pageOf } from '../paging.ts';
import { defineRoutes } from '../route.ts';
import { DAY } from '#contract/rules/time.ts';

const time = z.int();
const params = z.object({ id: z.string().max(64) });
const reason = z.string().trim().min(1, 'Enter a reason.').max(500);
/** The latest time that a `Date` can represent. */
const LAST_TIME = 8.64e15;
const MOST_GRANTED_MS = 100 * 366 * DAY;

const LedgerEntry = z.object({
  seq: z.int(),
  kind: z.string(),
  /** When it happened, and when the site recorded it. */
  at: time,
  recordedAt: time,
  plan: PlanName.nullable(),
  /** Cents. */
  amount: z.int().nullable(),
  currency: z.string().nullable(),
  chargeId: z.string().nullable(),
  reason: z.string(),
  actor: z.string(),
});

export const AccessReport = z.object({
  at: time,
  hasAccess: z.boolean(),
  /** Why, as a sentence. */
  reason: z.string(),
  paidThrough: time.nullable(),
  accessUntil: time.nullable(),
  /** Everything recorded by that time, oldest first. */
  entries: z.array(LedgerEntry),
});
export type AccessReport = z.infer<typeof AccessReport>;

const code = z
  .string()
  .trim()
  .toUpperCase()
  .regex(/^[A-Z0-9-]{3,32}$/, 'Use 3 to 32 letters, digits and dashes.');

const limits = {
  code,
  plans: z.array(PlanName).min(1, 'Choose at least one plan.').max(2),
  maxUses: z.int().min(1).max(1_000_000).nullable(),
  startsAt: time.nullable(),
  endsAt: time.nullable(),
};

export const NewCoupon = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('percent'), percent: z.int().min(1).max(99), ...limits }),
  z.strictObject({ kind: z.literal('free'), freeDays: z.int().min(1).max(366), ...limits }),
]);
export type NewCoupon = z.infer<typeof NewCoupon>;

export const Coupon = z.object({
  id: z.string(),
  kind: z.enum(['percent', 'free']),
  code: z.string(),
  percent: z.int().nullable(),
  freeDays: z.int().nullable(),
  plans: z.array(PlanName),
  maxUses: z.int().nullable(),
  uses: z.int(),
  startsAt: time.nullable(),
  endsAt: time.nullable(),
  /** At today’s prices it leaves less than the payment provider takes. */
  tooSmallFor: z.array(PlanName),
  createdAt: time,
});
export type Coupon = z.infer<typeof Coupon>;

export const billingAdminRoutes = defineRoutes({
  'GET /api/admin/users/:id/access': {
    summary: 'Whether a user had access at a given time, and why.',
    params,
    query: z.strictObject({ at: z.coerce.number().int().min(0).max(LAST_TIME).optional() }),
    response: AccessReport,
    errors: ['unauthenticated', 'not_found'],
  },
  'POST /api/admin/users/:id/access': {
    summary: 'Grant a user access until a date, or end it now.',
    params,
    body: z.discriminatedUnion('do', [
      z.strictObject({
        do: z.literal('grant'),
        until: time.min(0).refine((at) => at <= Date.now() + MOST_GRANTED_MS, {
          message: 'Choose a day within the next 100 years.',
        }),
        reason,
      }),
      z.strictObject({ do: z.literal('end'), reason }),
    ]),
    response: AccessReport,
    errors: ['unauthenticated', 'not_found'],
  },
  'GET /api/admin/coupons': {
    summary: 'All coupons, newest first.',
    query: PageQuery,
    response: pageOf(Coupon),
    errors: ['unauthenticated', 'not_found'],
  },
  'POST /api/admin/coupons': {
    summary: 'Create a coupon: a percentage off the first payment, or free days before it.',
    body: NewCoupon,
    response: Coupon,
    errors: ['unauthenticated', 'not_found', 'code_taken'],
  },
  'POST /api/admin/gifts': {
    summary: 'Create a gift of some months. Its link is shown only once.',
    body: z.strictObject({
      months: z.int().min(1).max(36),
      from: z.string().trim().min(1, 'Enter who it’s from.').max(80),
    }),
    response: z.object({ url: z.string(), months: z.int() }),
    errors: ['unauthenticated', 'not_found'],
  },
});

import { z } from 'zod';
import { Invoice, Subscription } from './billing.ts';
import { PageQuery } from './paging.ts';
import { defineRoutes } from './route.ts';
import { DeviceSession } from './security.ts';

export const SUBSCRIBER_FILTERS = [
  'all',
  'active',
  'grace',
  'late',
  'cancelled',
  'free',
  'admin',
  'disabled',
] as const;
export type SubscriberFilter = (typeof SUBSCRIBER_FILTERS)[number];

export const Subscriber = z.object({
  id: z.string(),
  username: z.string(),
  email: z.string(),
  avatarUrl: z.string().nullable(),
  createdAt: z.int(),
  paidThrough: z.int().nullable(),
  /** `grace`: what was paid for is over, access is not. */
  access: z.enum(['active', 'grace', 'free']),
  isAdmin: z.boolean(),
  isDisabled: z.boolean(),
  isDemo: z.boolean(),
});
export type Subscriber = z.infer<typeof Subscriber>;

export const SubscriberPage = z.object({
  subscriber: Subscriber,
  /** Why and since when the account is shut. */
  disabled: z.object({ at: z.int(), because: z.string() }).nullable(),
  subscription: Subscription,
  sessions: z.array(DeviceSession),
});
export type SubscriberPage = z.infer<typeof SubscriberPage>;

export const SubscriberPlay = z.object({
  id: z.string(),
  trackId: z.string(),
  title: z.string(),
  year: z.int(),
  week: z.int(),
  at: z.int(),
  heardMs: z.int(),
  isCounted: z.boolean(),
  wasSubscriber: z.boolean(),
});
export type SubscriberPlay = z.infer<typeof SubscriberPlay>;

/** Why it is done, for whoever reads the audit log later. */
export const Reason = z.string().trim().min(1, 'Say why.').max(500, 'Use at most 500 characters.');

export const AdminBody = z.strictObject({ isAdmin: z.boolean(), because: Reason });
export const DisabledBody = z.strictObject({ isDisabled: z.boolean(), because: Reason });

export const RefundBody = z.strictObject({
  invoiceId: z.string().regex(/^[\w-]{1,64}$/),
  /** Cents. */
  amount: z.int('Enter an amount.').min(1, 'Enter an amount above zero.').max(100_000_00),
  because: Reason,
});
export const EndBody = z.strictObject({
  /** Access ends now, and not with what is paid for. */
  isAtOnce: z.boolean(),
  because: Reason,
});

const params = z.object({ id: z.string().regex(/^[\w-]{1,64}$/) });
const errors = ['unauthenticated', 'not_found'] as const;
const page = <T extends z.ZodType>(item: T) =>
  z.object({ items: z.array(item), nextCursor: z.string().nullable() });

export const subscriberRoutes = defineRoutes({
  'GET /api/admin/subscribers': {
    summary: 'Everybody with an account, by part of a name or address and by what they paid for.',
    query: PageQuery.extend({
      filter: z.enum(SUBSCRIBER_FILTERS).optional(),
      q: z.string().trim().max(254).optional(),
    }),
    response: page(Subscriber),
    errors,
  },
  'GET /api/admin/subscribers/:id': {
    summary: 'One person: plan, access, devices.',
    params,
    response: SubscriberPage,
    errors,
  },
  'GET /api/admin/subscribers/:id/plays': {
    summary: 'What a person has played, the latest first.',
    params,
    query: PageQuery,
    response: page(SubscriberPlay),
    errors,
  },
  'GET /api/admin/subscribers/:id/invoices': {
    summary: 'What a person has paid, the newest first.',
    params,
    query: PageQuery,
    response: page(Invoice),
    errors,
  },
  'PUT /api/admin/subscribers/:id/admin': {
    summary: 'Make somebody an administrator, or end it. Never the last one.',
    params,
    body: AdminBody,
    response: Subscriber,
    errors: [...errors, 'last_admin'],
  },
  'PUT /api/admin/subscribers/:id/disabled': {
    summary: 'Shut an account, which signs it out everywhere, or open it again.',
    params,
    body: DisabledBody,
    response: Subscriber,
    errors: [...errors, 'last_admin', 'forbidden', 'demo_account'],
  },
  'POST /api/admin/subscribers/:id/refund': {
    summary: 'Pay back some or all of one payment.',
    params,
    body: RefundBody,
    response: SubscriberPage,
    errors: [...errors, 'provider_unavailable'],
  },
  'POST /api/admin/subscribers/:id/end': {
    summary: 'End a subscription: no further payment, and access to the end of what is paid for.',
    params,
    body: EndBody,
    response: SubscriberPage,
    errors: [...errors, 'not_subscribed', 'provider_unavailable'],
  },
  'DELETE /api/admin/subscribers/:id/sessions': {
    summary: 'Sign a person out on every device.',
    params,
    errors,
  },
});

import { z } from 'zod';
import { Email } from '../accounts.ts';
import { PlanName, Subscription } from '../billing.ts';
import { Invoice } from '../paying/invoices.ts';
import { Departure } from './departures.ts';
import { PaymentIssue } from './payment-issues.ts';
import { PageQuery, pageOf } from '../paging.ts';
import { AppPassword } from '../clients/app-passwords.ts';
import { PodcastFeedUse } from '../clients/podcasts.ts';
import { defineRoutes } from '../route.ts';
import { DeviceSession } from '../security.ts';

const SUBSCRIBER_FILTERS = [
  'all',
  'active',
  'grace',
  'late',
  'cancelled',
  'free',
  'admin',
  'helper',
  'disabled',
  'shared',
] as const;
export type SubscriberFilter = (typeof SUBSCRIBER_FILTERS)[number];

export const Subscriber = z.object({
  id: z.string(),
  username: z.string(),
  email: z.string(),
  isEmailVerified: z.boolean(),
  avatarUrl: z.string().nullable(),
  createdAt: z.int(),
  paidThrough: z.int().nullable(),
  /** What the time until `paidThrough` rests on, or why there is none. `free`: a grant, gift or trial. */
  basis: z.enum(['payment', 'free', 'refunded', 'ended', 'none']),
  /** When the last payment was refunded, if nothing is paid now because of that. */
  refundedAt: z.int().nullable(),
  /** `grace`: the paid period is over, but access continues for the grace period. */
  access: z.enum(['active', 'grace', 'free']),
  isAdmin: z.boolean(),
  isHelper: z.boolean(),
  isDisabled: z.boolean(),
});
export type Subscriber = z.infer<typeof Subscriber>;

/** One of a member's subscriptions; at most one hasn't ended. */
export const SubscriptionItem = z.object({
  id: z.string(),
  provider: z.string(),
  plan: PlanName,
  status: z.enum(['trial', 'active', 'late', 'needs_member', 'ending', 'ended']),
  nextPayment: z.object({ at: z.int(), amount: z.int() }).nullable(),
  /** Why the last payment failed. */
  failure: z.string().nullable(),
  lateSince: z.int().nullable(),
  /** Nothing is charged while a bank decides about a dispute. */
  isHeld: z.boolean(),
  startedAt: z.int(),
  endedAt: z.int().nullable(),
  canEnd: z.boolean(),
});
export type SubscriptionItem = z.infer<typeof SubscriptionItem>;

export const SubscriberPage = z.object({
  subscriber: Subscriber,
  /** Since when and why the account is disabled. */
  disabled: z.object({ at: z.int(), reason: z.string() }).nullable(),
  subscription: Subscription,
  /** The running one first, then the newest. */
  subscriptions: z.array(SubscriptionItem),
  /** When and why they left, newest first. */
  departures: z.array(Departure),
  /** What is open about this member’s payments. */
  issues: z.array(PaymentIssue),
  sessions: z.array(DeviceSession),
  /** Null without a private podcast feed. */
  podcastFeed: PodcastFeedUse.nullable(),
  musicApps: z.array(AppPassword),
  /** Whether e-mails arrive, as far as anybody has told us. */
  mail: z.object({
    /** Nothing is sent to the address any more. */
    stopped: z
      .object({ at: z.int(), reason: z.string(), source: z.enum(['server', 'bounce', 'webhook']) })
      .nullable(),
    /** The last of each kind, the latest first. */
    reports: z.array(
      z.object({ kind: z.enum(['temporary', 'complaint']), reason: z.string(), at: z.int() }),
    ),
  }),
});
export type SubscriberPage = z.infer<typeof SubscriberPage>;

export const SubscriberPlay = z.object({
  id: z.string(),
  trackId: z.string(),
  title: z.string(),
  year: z.int(),
  week: z.int(),
  at: z.int(),
  listenedMs: z.int(),
  isCounted: z.boolean(),
  wasSubscriber: z.boolean(),
});
export type SubscriberPlay = z.infer<typeof SubscriberPlay>;

/** For the audit log. */
const Reason = z.string().trim().min(1, 'Enter a reason.').max(500, 'Use at most 500 characters.');

const AdminBody = z.strictObject({ isAdmin: z.boolean(), reason: Reason });
const DisabledBody = z.strictObject({ isDisabled: z.boolean(), reason: Reason });

const RefundBody = z.strictObject({
  invoiceId: z.string().regex(/^[\w-]{1,64}$/),
  /** Cents. */
  amount: z.int('Enter an amount.').min(1, 'Enter an amount above zero.').max(100_000_00),
  /** Stops further charges as well. */
  endsSubscription: z.boolean(),
  reason: Reason,
});
const EndBody = z.strictObject({
  /** Ends access now instead of at the end of the paid period. */
  isImmediate: z.boolean(),
  reason: Reason,
});

const params = z.object({ id: z.string().regex(/^[\w-]{1,64}$/) });
const errors = ['unauthenticated', 'not_found'] as const;

export const subscriberRoutes = defineRoutes({
  'GET /api/admin/subscribers': {
    summary: 'All users, filtered by name, e-mail and status.',
    query: PageQuery.extend({
      filter: z.enum(SUBSCRIBER_FILTERS).optional(),
      q: z.string().trim().max(254).optional(),
    }),
    response: pageOf(Subscriber),
    errors,
  },
  'GET /api/admin/subscribers.csv': {
    summary: 'The same users as CSV, with the columns that the import of members reads.',
    query: z.object({
      filter: z.enum(SUBSCRIBER_FILTERS).optional(),
      q: z.string().trim().max(254).optional(),
    }),
    response: 'file',
    errors,
  },
  'GET /api/admin/subscribers/:id': {
    summary: 'A user’s plan, access and devices.',
    params,
    response: SubscriberPage,
    errors,
  },
  'GET /api/admin/subscribers/:id/plays': {
    summary: 'A user’s plays, latest first.',
    params,
    query: PageQuery,
    response: pageOf(SubscriberPlay),
    errors,
  },
  'GET /api/admin/subscribers/:id/invoices': {
    summary: 'A user’s invoices, newest first.',
    params,
    query: PageQuery,
    response: pageOf(Invoice),
    errors,
  },
  'PUT /api/admin/subscribers/:id/admin': {
    summary: 'Add or remove an administrator, but never the last one.',
    params,
    body: AdminBody,
    response: Subscriber,
    errors: [...errors, 'confirmation_required', 'last_admin'],
  },
  'POST /api/admin/helpers': {
    summary: 'Make somebody a helper by e-mail address; without an account they are invited.',
    body: z.strictObject({ email: Email }),
    response: Subscriber,
    errors: [...errors, 'confirmation_required', 'email_unconfirmed', 'forbidden'],
  },
  'DELETE /api/admin/helpers/:id': {
    summary: 'A helper becomes a member again, at once.',
    params,
    response: Subscriber,
    errors,
  },
  'PUT /api/admin/subscribers/:id/disabled': {
    summary: 'Disable an account, which logs it out everywhere, or re-enable it.',
    params,
    body: DisabledBody,
    response: Subscriber,
    errors: [...errors, 'last_admin', 'forbidden'],
  },
  'POST /api/admin/subscribers/:id/refund': {
    summary: 'Refund a payment in part or in full, and end the subscription if asked to.',
    params,
    body: RefundBody,
    response: SubscriberPage,
    errors: [...errors, 'confirmation_required', 'refund_refused', 'provider_unavailable'],
  },
  'POST /api/admin/subscribers/:id/end': {
    summary: 'End a subscription at the end of the paid period, or immediately.',
    params,
    body: EndBody,
    response: SubscriberPage,
    errors: [...errors, 'not_subscribed', 'provider_unavailable'],
  },
  'DELETE /api/admin/subscribers/:id/podcast-feed': {
    summary: 'Turn off a user’s private podcast feed, for example if its address is shared.',
    params,
    errors,
  },
  'DELETE /api/admin/subscribers/:id/refused-mail': {
    summary: 'Send e-mails again to a user whose address refused them.',
    params,
    errors,
  },
  'DELETE /api/admin/subscribers/:id/sessions': {
    summary: 'Log a user out on every device.',
    params,
    errors,
  },
});

import { z } from 'zod';
import { PageQuery, pageOf } from '../paging.ts';
import { defineRoutes } from '../route.ts';

export const PAYMENT_ISSUE_KINDS = [
  'wrong-key',
  'checkout-refused',
  'other-amount',
  'payment-unsettled',
  'renewals-overdue',
  'refund-failed',
  'dispute',
  'dispute-lost',
  'unknown-charge',
  'refund-at-provider',
  'shadow-differs',
] as const;

export const PaymentIssue = z.object({
  id: z.string(),
  kind: z.enum(PAYMENT_ISSUE_KINDS),
  /** Null if it is about no one, or the account is deleted. */
  user: z.object({ id: z.string(), name: z.string() }).nullable(),
  provider: z.string().nullable(),
  chargeId: z.string().nullable(),
  /** Of the checkout. */
  reference: z.string().nullable(),
  /** Cents. */
  amount: z.int().nullable(),
  currency: z.string().nullable(),
  /** What happened, as a sentence. */
  reason: z.string(),
  /** Answer by then. */
  dueAt: z.int().nullable(),
  openedAt: z.int(),
  closedAt: z.int().nullable(),
  /** Who closed it: an administrator, or `the bank`; null if its cause went away by itself. */
  closedBy: z.object({ id: z.string(), name: z.string().nullable() }).nullable(),
  note: z.string().nullable(),
  /** Of a dispute: the subscription goes on even if it is lost. */
  keepsSubscription: z.boolean(),
});
export type PaymentIssue = z.infer<typeof PaymentIssue>;

const errors = ['unauthenticated', 'not_found'] as const;

const CloseIssueBody = z.strictObject({
  note: z.string().trim().min(1, 'Enter a note.').max(500),
});

export const paymentIssueRoutes = defineRoutes({
  'GET /api/admin/payment-issues': {
    summary:
      'Payments that an administrator has to look at: the next deadline first, then the newest. Closed ones newest first.',
    query: PageQuery.extend({ state: z.enum(['open', 'closed']).default('open') }),
    response: pageOf(PaymentIssue),
    errors,
  },
  'POST /api/admin/payment-issues/:id/close': {
    summary: 'Close an issue with a note.',
    params: z.object({ id: z.string().regex(/^[\w-]{1,64}$/) }),
    body: CloseIssueBody,
    errors,
  },
  'PUT /api/admin/payment-issues/:id/keeps-subscription': {
    summary: 'Keep the subscription if the dispute is lost, or let it end.',
    params: z.object({ id: z.string().regex(/^[\w-]{1,64}$/) }),
    body: z.strictObject({ keepsSubscription: z.boolean() }),
    errors,
  },
});

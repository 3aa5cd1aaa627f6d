import type { PaymentIssue } from '#contract/admin/payment-issues.ts';
import type { QueryClient } from '@tanstack/react-query';
import { call } from '#web/lib/api/api.ts';
import { pagedQuery, refreshPaths } from '#web/lib/api/api-query.ts';

export const PAYMENT_ISSUES_PATH = '/api/admin/payment-issues';

export const paymentIssuesQuery = (state: 'open' | 'closed') =>
  pagedQuery('GET /api/admin/payment-issues', {
    query: { state, limit: 50 },
  });

export const closeIssue = ({ id }: PaymentIssue, note: string) =>
  call('POST /api/admin/payment-issues/:id/close', { params: { id }, body: { note } });

/** Whether the subscription goes on if a dispute is lost. */
export const keepSubscription = ({ id }: PaymentIssue, keepsSubscription: boolean) =>
  call('PUT /api/admin/payment-issues/:id/keeps-subscription', {
    params: { id },
    body: { keepsSubscription },
  });

/** Also reloads the pages of members, which show their issues. */
export const refreshIssues = (client: QueryClient) =>
  refreshPaths(client, PAYMENT_ISSUES_PATH, '/api/admin/subscribers');

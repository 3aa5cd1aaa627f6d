import { mutationOptions, type QueryClient } from '@tanstack/react-query';
import type { CANCEL_REASONS, Subscription } from '#contract/billing.ts';
import type { Plan } from '#contract/rules/plans.ts';
import { call } from '#web/lib/api/api.ts';
import { refreshAccess, subscriptionQuery } from './api.ts';

export type CancelReason = (typeof CANCEL_REASONS)[number];

/** Repeating a rejected request would not help, and the user is waiting. */
const retry = false;

async function saveSubscription(client: QueryClient, subscription: Subscription): Promise<void> {
  await client.cancelQueries({ queryKey: subscriptionQuery.queryKey });
  client.setQueryData(subscriptionQuery.queryKey, subscription);
  await refreshAccess(client);
}

export const cancelMutation = (client: QueryClient) =>
  mutationOptions({
    mutationFn: (body: { reason?: CancelReason; comment?: string }) =>
      call('POST /api/subscription/cancel', { body }),
    onSuccess: (subscription) => saveSubscription(client, subscription),
    retry,
  });

export const withdrawMutation = (client: QueryClient) =>
  mutationOptions({
    mutationFn: () => call('POST /api/subscription/withdraw'),
    onSuccess: (subscription) => saveSubscription(client, subscription),
    retry,
  });

export const resumeMutation = (client: QueryClient) =>
  mutationOptions({
    mutationFn: () => call('POST /api/subscription/resume'),
    onSuccess: (subscription) => saveSubscription(client, subscription),
    retry,
  });

export const changePlanMutation = (client: QueryClient) =>
  mutationOptions({
    mutationFn: (plan: Plan) => call('POST /api/subscription/change', { body: { plan } }),
    onSuccess: (subscription) => saveSubscription(client, subscription),
    retry,
  });

export const redeemMutation = (client: QueryClient) =>
  mutationOptions({
    mutationFn: (token: string) => call('POST /api/gifts/:token/redeem', { params: { token } }),
    onSuccess: (subscription) => saveSubscription(client, subscription),
    retry,
  });

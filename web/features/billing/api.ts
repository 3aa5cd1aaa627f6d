import {
  infiniteQueryOptions,
  mutationOptions,
  queryOptions,
  type QueryClient,
} from '@tanstack/react-query';
import type { CANCEL_REASONS, Subscription } from '#contract/billing.ts';
import type { Plan } from '#contract/rules/plans.ts';
import { ApiError, call } from '#web/lib/api.ts';
import { currentUserQuery } from '#web/lib/current-user.ts';
import { tellOtherTabs } from './other-tabs.ts';

export type CancelReason = (typeof CANCEL_REASONS)[number];

/** A refusal will not change by asking again, and the person is waiting. */
const retry = false;

const isRefusal = (error: Error): boolean =>
  error instanceof ApiError && error.status < 500 && error.status !== 429;
const retryFaults = (failures: number, error: Error) => failures < 1 && !isRefusal(error);

export const SUBSCRIPTION_KEY = ['/api/subscription'] as const;
export const INVOICES_KEY = ['/api/subscription/invoices'] as const;

export const subscriptionQuery = queryOptions({
  queryKey: SUBSCRIPTION_KEY,
  queryFn: ({ signal }) => call('GET /api/subscription', undefined, { signal }),
  retry: retryFaults,
});

export const invoicesQuery = infiniteQueryOptions({
  queryKey: INVOICES_KEY,
  initialPageParam: undefined as string | undefined,
  queryFn: ({ pageParam, signal }) =>
    call(
      'GET /api/subscription/invoices',
      { query: pageParam === undefined ? {} : { cursor: pageParam } },
      { signal },
    ),
  getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
});

export const invoiceQuery = (id: string) =>
  queryOptions({
    queryKey: [`/api/subscription/invoices/${id}`],
    queryFn: ({ signal }) =>
      call('GET /api/subscription/invoices/:id', { params: { id } }, { signal }),
    retry: retryFaults,
  });

export const QUOTE_KEY = ['/api/checkout/quote'] as const;

export const quoteQuery = (plan: Plan, coupon: string | null) =>
  queryOptions({
    queryKey: [...QUOTE_KEY, plan, coupon],
    queryFn: ({ signal }) =>
      call('GET /api/checkout/quote', { query: { plan, ...(coupon && { coupon }) } }, { signal }),
    // A tab that is looked at again while another pays would be told that there is nothing to buy.
    staleTime: 30_000,
    retry: retryFaults,
  });

export const changeQuoteQuery = (plan: Plan) =>
  queryOptions({
    queryKey: ['/api/subscription/change', plan],
    queryFn: ({ signal }) => call('GET /api/subscription/change', { query: { plan } }, { signal }),
    // What is shown is what is charged: asked for each time it is shown.
    staleTime: 0,
    retry: retryFaults,
  });

export const giftQuery = (token: string) =>
  queryOptions({
    queryKey: [`/api/gifts/${token}`],
    queryFn: ({ signal }) => call('GET /api/gifts/:token', { params: { token } }, { signal }),
    retry: retryFaults,
  });

export const checkoutMutation = mutationOptions({
  mutationFn: (body: { plan: Plan; coupon?: string }) => call('POST /api/checkout', { body }),
  retry,
});

export const settle = (reference: string, signal: AbortSignal) =>
  call('POST /api/checkout/:reference/settle', { params: { reference } }, { signal });

/** Who may hear what has changed, or may have: here and in every other tab of this browser. */
export async function refreshAccess(client: QueryClient): Promise<void> {
  tellOtherTabs();
  await Promise.all([
    client.invalidateQueries({ queryKey: currentUserQuery.queryKey }),
    client.invalidateQueries({ queryKey: SUBSCRIPTION_KEY }),
  ]);
}

async function adopt(client: QueryClient, subscription: Subscription): Promise<void> {
  await client.cancelQueries({ queryKey: SUBSCRIPTION_KEY });
  client.setQueryData(subscriptionQuery.queryKey, subscription);
  await refreshAccess(client);
}

export const cancelMutation = (client: QueryClient) =>
  mutationOptions({
    mutationFn: (body: { reason: CancelReason; comment?: string }) =>
      call('POST /api/subscription/cancel', { body }),
    onSuccess: (subscription) => adopt(client, subscription),
    retry,
  });

export const resumeMutation = (client: QueryClient) =>
  mutationOptions({
    mutationFn: () => call('POST /api/subscription/resume'),
    onSuccess: (subscription) => adopt(client, subscription),
    retry,
  });

export const changePlanMutation = (client: QueryClient) =>
  mutationOptions({
    mutationFn: (plan: Plan) => call('POST /api/subscription/change', { body: { plan } }),
    onSuccess: (subscription) => adopt(client, subscription),
    retry,
  });

export const cardMutation = mutationOptions({
  mutationFn: () => call('POST /api/subscription/card'),
  retry,
});

export const redeemMutation = (client: QueryClient) =>
  mutationOptions({
    mutationFn: (token: string) => call('POST /api/gifts/:token/redeem', { params: { token } }),
    onSuccess: (subscription) => adopt(client, subscription),
    retry,
  });

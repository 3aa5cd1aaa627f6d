import {
  queryOptions,
  infiniteQueryOptions,
  mutationOptions,
  type QueryClient,
} from '@tanstack/react-query';
import type { CANCEL_REASONS, Subscription } from '#contract/billing.ts';
import type { Plan } from '#contract/rules/plans.ts';
import { MINUTE } from '#contract/rules/time.ts';
import { ApiError, call } from '#web/lib/api.ts';
import { currentUserQuery } from '#web/lib/current-user.ts';

export type CancelReason = (typeof CANCEL_REASONS)[number];

/** Repeating a rejected request would not help, and the user is waiting. */
const retry = false;

const isRejection = (error: Error): boolean =>
  error instanceof ApiError && error.status < 500 && error.status !== 429;
const retryOutages = (failures: number, error: Error) => failures < 1 && !isRejection(error);

export const SUBSCRIPTION_KEY = ['/api/subscription'] as const;
export const INVOICES_KEY = ['/api/subscription/invoices'] as const;

export const plansQuery = queryOptions({
  queryKey: ['/api/plans'],
  queryFn: ({ signal }) => call('GET /api/plans', undefined, { signal }),
  staleTime: 5 * MINUTE,
});

export const subscriptionQuery = queryOptions({
  queryKey: SUBSCRIPTION_KEY,
  queryFn: ({ signal }) => call('GET /api/subscription', undefined, { signal }),
  retry: retryOutages,
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
    retry: retryOutages,
  });

export const QUOTE_KEY = ['/api/checkout/quote'] as const;

export const quoteQuery = (plan: Plan, coupon: string | null) =>
  queryOptions({
    queryKey: [...QUOTE_KEY, plan, coupon],
    queryFn: ({ signal }) =>
      call('GET /api/checkout/quote', { query: { plan, ...(coupon && { coupon }) } }, { signal }),
    // A refetch on focus, while another tab pays, would only report that there is nothing to buy.
    staleTime: 30_000,
    retry: retryOutages,
  });

export const changeQuoteQuery = (plan: Plan) =>
  queryOptions({
    queryKey: ['/api/subscription/change', plan],
    queryFn: ({ signal }) => call('GET /api/subscription/change', { query: { plan } }, { signal }),
    // The price shown must be the price charged.
    staleTime: 0,
    retry: retryOutages,
  });

export const giftQuery = (token: string) =>
  queryOptions({
    queryKey: [`/api/gifts/${token}`],
    queryFn: ({ signal }) => call('GET /api/gifts/:token', { params: { token } }, { signal }),
    retry: retryOutages,
  });

export const checkoutMutation = mutationOptions({
  mutationFn: (body: { plan: Plan; coupon?: string }) => call('POST /api/checkout', { body }),
  retry,
});

export const confirmCheckout = (reference: string, signal: AbortSignal) =>
  call('POST /api/checkout/:reference/confirm', { params: { reference } }, { signal });

let channel: BroadcastChannel | null = null;

const openChannel = (): BroadcastChannel | null =>
  (channel ??= 'BroadcastChannel' in globalThis ? new BroadcastChannel('access') : null);

/** Calls back when another tab has changed the subscription; each tab then asks the server itself. */
export function watchOtherTabs(callback: () => void): () => void {
  const open = openChannel();
  open?.addEventListener('message', callback);
  return () => open?.removeEventListener('message', callback);
}

/** Reloads what depends on access, in this tab and all others. */
export async function refreshAccess(client: QueryClient): Promise<void> {
  openChannel()?.postMessage('changed');
  await Promise.all([
    client.invalidateQueries({ queryKey: currentUserQuery.queryKey }),
    client.invalidateQueries({ queryKey: SUBSCRIPTION_KEY }),
  ]);
}

async function saveSubscription(client: QueryClient, subscription: Subscription): Promise<void> {
  await client.cancelQueries({ queryKey: SUBSCRIPTION_KEY });
  client.setQueryData(subscriptionQuery.queryKey, subscription);
  await refreshAccess(client);
}

export const cancelMutation = (client: QueryClient) =>
  mutationOptions({
    mutationFn: (body: { reason: CancelReason; comment?: string }) =>
      call('POST /api/subscription/cancel', { body }),
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

export const updateCardMutation = mutationOptions({
  mutationFn: () => call('POST /api/subscription/card'),
  retry,
});

export const redeemMutation = (client: QueryClient) =>
  mutationOptions({
    mutationFn: (token: string) => call('POST /api/gifts/:token/redeem', { params: { token } }),
    onSuccess: (subscription) => saveSubscription(client, subscription),
    retry,
  });

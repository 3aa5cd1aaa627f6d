import { mutationOptions, queryOptions, type QueryClient } from '@tanstack/react-query';
import type { Plan } from '#contract/rules/plans.ts';
import { MINUTE } from '#contract/rules/time.ts';
import { call } from '#web/lib/api/api.ts';
import { currentUserQuery } from '#web/lib/api/current-user.ts';
import { apiQuery, pagedQuery } from '#web/lib/api/api-query.ts';

/** Repeating a rejected request would not help, and the user is waiting. */
const retry = false;

export const plansQuery = { ...apiQuery('GET /api/plans'), staleTime: 5 * MINUTE };

export const subscriptionQuery = apiQuery('GET /api/subscription');

export const paidOnceQuery = apiQuery('GET /api/pay-once');

/** What depends on access, besides the music. */
export const ACCESS_KEYS = [currentUserQuery, subscriptionQuery, paidOnceQuery].map(
  ({ queryKey }): readonly string[] => queryKey,
);

export const invoicesQuery = pagedQuery('GET /api/subscription/invoices', { query: {} });

export const quoteQuery = (plan: Plan, coupon: string | null) => ({
  ...apiQuery('GET /api/checkout/quote', { query: { plan, ...(coupon && { coupon }) } }),
  // A refetch on focus, while another tab pays, would only report that there is nothing to buy.
  staleTime: 30_000,
});

export const checkoutMutation = mutationOptions({
  mutationFn: (body: { plan: Plan; coupon?: string }) => call('POST /api/checkout', { body }),
  retry,
});

/** No `apiQuery`: asking makes the server ask the provider, and so is a POST. */
export const checkoutQuery = (reference: string) =>
  queryOptions({
    queryKey: ['checkout', reference],
    queryFn: ({ signal }) =>
      call('POST /api/checkout/:reference/confirm', { params: { reference } }, { signal }),
    retry,
  });

let channel: BroadcastChannel | null = null;

const openChannel = (): BroadcastChannel | null =>
  (channel ??= 'BroadcastChannel' in globalThis ? new BroadcastChannel('access') : null);

/** Calls back when another tab has changed access; each tab then asks the server itself. */
export function watchOtherTabs(callback: () => void): () => void {
  const open = openChannel();
  open?.addEventListener('message', callback);
  return () => open?.removeEventListener('message', callback);
}

/** The subscription changed, or someone logged in or out. */
export const tellOtherTabs = (): void => openChannel()?.postMessage('changed');

/** Reloads what depends on access, in this tab and all others. */
export async function refreshAccess(client: QueryClient): Promise<void> {
  tellOtherTabs();
  await Promise.all(ACCESS_KEYS.map((queryKey) => client.invalidateQueries({ queryKey })));
}

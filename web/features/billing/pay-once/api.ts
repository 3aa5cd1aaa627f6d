import { mutationOptions, type QueryClient } from '@tanstack/react-query';
import type { OnceMonths } from '#contract/rules/plans.ts';
import { INVOICES_KEY, refreshAccess, SUBSCRIPTION_KEY } from '../api.ts';
import { apiQuery } from '#web/lib/api/api-query.ts';
import { call } from '#web/lib/api/api.ts';
import { retryOnce } from '#web/lib/api/query-client.ts';

/** Below the subscription’s key, so that it loads again with it. */
export const paidOnceQuery = {
  ...apiQuery([...SUBSCRIPTION_KEY, 'once'], 'GET /api/pay-once'),
  retry: retryOnce,
};

export const startOnceMutation = mutationOptions({
  mutationFn: (body: { months: OnceMonths; amount: number }) =>
    call('POST /api/pay-once', { body }),
  retry: false,
});

export const returnOnceMutation = (client: QueryClient) =>
  mutationOptions({
    mutationFn: (reference: string) =>
      call('POST /api/pay-once/:reference/return', { params: { reference } }),
    onSuccess: async (paidOnce) => {
      client.setQueryData(paidOnceQuery.queryKey, paidOnce);
      await refreshAccess(client);
      await client.invalidateQueries({ queryKey: INVOICES_KEY });
    },
    retry: false,
  });

export const boughtGiftQuery = (reference: string) => ({
  ...apiQuery([`/api/bought-gifts/${reference}`], 'GET /api/bought-gifts/:reference', {
    params: { reference },
  }),
  retry: retryOnce,
});

export const giftInvoiceQuery = (reference: string) => ({
  ...apiQuery(
    [`/api/bought-gifts/${reference}/invoice`],
    'GET /api/bought-gifts/:reference/invoice',
    { params: { reference } },
  ),
  retry: retryOnce,
});

export const sendGiftMutation = (client: QueryClient, reference: string) =>
  mutationOptions({
    mutationFn: () => call('POST /api/bought-gifts/:reference/send', { params: { reference } }),
    onSuccess: (gift) => client.setQueryData(boughtGiftQuery(reference).queryKey, gift),
    retry: false,
  });

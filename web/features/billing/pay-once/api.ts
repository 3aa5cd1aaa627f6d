import { mutationOptions, type QueryClient } from '@tanstack/react-query';
import type { OnceMonths } from '#contract/rules/plans.ts';
import { invoicesQuery, paidOnceQuery, refreshAccess } from '../api.ts';
import { call } from '#web/lib/api/api.ts';

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
      await client.invalidateQueries({ queryKey: invoicesQuery.queryKey });
    },
    retry: false,
  });

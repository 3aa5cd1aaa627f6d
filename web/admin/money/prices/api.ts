import { mutationOptions, type QueryClient } from '@tanstack/react-query';
import { call } from '#web/lib/api/api.ts';
import { apiQuery } from '#web/lib/api/api-query.ts';
import { retryOnce } from '#web/lib/api/query-client.ts';

export const pricesQuery = {
  ...apiQuery(['/api/admin/prices'], 'GET /api/admin/prices'),
  retry: retryOnce,
};

export const cancelChangeMutation = (client: QueryClient) =>
  mutationOptions({
    mutationFn: (id: string) =>
      call('POST /api/admin/prices/changes/:id/cancel', { params: { id } }),
    onSuccess: (prices) => client.setQueryData(pricesQuery.queryKey, prices),
    retry: false,
  });

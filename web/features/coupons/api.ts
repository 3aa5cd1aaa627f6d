import { infiniteQueryOptions } from '@tanstack/react-query';
import { call } from '#web/lib/api.ts';

export const COUPONS_KEY = '/api/admin/coupons';

export const couponsQuery = infiniteQueryOptions({
  queryKey: [COUPONS_KEY],
  initialPageParam: undefined as string | undefined,
  queryFn: ({ pageParam: cursor, signal }) =>
    call('GET /api/admin/coupons', { query: { limit: 50, ...(cursor && { cursor }) } }, { signal }),
  getNextPageParam: (page) => page.nextCursor ?? undefined,
});

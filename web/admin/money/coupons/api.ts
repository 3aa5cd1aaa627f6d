import { pagedQuery } from '#web/lib/api/api-query.ts';

export const COUPONS_KEY = '/api/admin/coupons';

export const couponsQuery = pagedQuery([COUPONS_KEY], 'GET /api/admin/coupons', {
  query: { limit: 50 },
});

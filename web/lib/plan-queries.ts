import { queryOptions } from '@tanstack/react-query';
import { call } from './api.ts';
import { MINUTE } from '#contract/rules/time.ts';

/** What Premium costs here: the operator sets it. */
export const plansQuery = queryOptions({
  queryKey: ['/api/plans'],
  queryFn: ({ signal }) => call('GET /api/plans', undefined, { signal }),
  staleTime: 5 * MINUTE,
});

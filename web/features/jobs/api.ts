import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { JobState } from '#contract/admin/jobs.ts';
import { call } from '#web/lib/api.ts';

export const JOBS_KEY = '/api/admin/jobs';

export const jobsQuery = (state: JobState) =>
  infiniteQueryOptions({
    queryKey: [JOBS_KEY, 'list', state],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: cursor, signal }) =>
      call(
        'GET /api/admin/jobs',
        { query: { state, limit: 50, ...(cursor && { cursor }) } },
        { signal },
      ),
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  });

export const schedulesQuery = queryOptions({
  queryKey: [JOBS_KEY, 'schedules'],
  queryFn: ({ signal }) => call('GET /api/admin/schedules', undefined, { signal }),
});

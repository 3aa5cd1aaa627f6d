import type { JobState } from '#contract/admin/jobs.ts';
import { apiQuery, pagedQuery } from '#web/lib/api/api-query.ts';

export const JOBS_KEY = '/api/admin/jobs';

export const jobsQuery = (state: JobState) =>
  pagedQuery([JOBS_KEY, 'list', state], 'GET /api/admin/jobs', { query: { state, limit: 50 } });

export const schedulesQuery = apiQuery([JOBS_KEY, 'schedules'], 'GET /api/admin/schedules');

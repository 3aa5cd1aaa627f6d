import { keepPreviousData, type QueryClient } from '@tanstack/react-query';
import type { SkippableStep } from '#contract/admin/first-steps.ts';
import { call } from '#web/lib/api/api.ts';
import { apiQuery, refreshPaths } from '#web/lib/api/api-query.ts';

const WEEK_PATH = '/api/admin/week';
const STEPS_PATH = '/api/admin/first-steps';

/** With a track to show instead of the one that is due. */
export const weekQuery = (track: string | null) => ({
  ...apiQuery('GET /api/admin/week', { query: track === null ? {} : { track } }),
  placeholderData: keepPreviousData,
});

export const firstStepsQuery = apiQuery('GET /api/admin/first-steps');

export const refreshWeek = (client: QueryClient) => refreshPaths(client, WEEK_PATH, STEPS_PATH);

export const skipStep = (step: SkippableStep, isSkipped: boolean) =>
  call('PUT /api/admin/first-steps/:step', { params: { step }, body: { isSkipped } });

export { STEPS_PATH, WEEK_PATH };

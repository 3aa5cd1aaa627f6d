import { apiQuery } from '#web/lib/api/api-query.ts';
import { call } from '#web/lib/api/api.ts';

export const achievementsQuery = apiQuery('GET /api/achievements');

export const markSeen = (ids: string[]) => call('POST /api/achievements/seen', { body: { ids } });

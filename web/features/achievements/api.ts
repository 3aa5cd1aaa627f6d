import { queryOptions } from '@tanstack/react-query';
import type { Achievement } from '#contract/achievements.ts';
import { call } from '#web/lib/api/api.ts';

type Achievements = { items: Achievement[] };

/** Null once the user has logged out. */
export const achievementsQuery = queryOptions<Achievements | null>({
  queryKey: ['/api/achievements'],
});

export const markSeen = (ids: string[]) => call('POST /api/achievements/seen', { body: { ids } });

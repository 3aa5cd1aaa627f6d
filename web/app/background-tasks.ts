import type { QueryClient } from '@tanstack/react-query';
import { currentUserQuery } from '#web/lib/current-user.ts';
import { watchAccess } from '#web/features/billing/watch-access.ts';
import { watchUser } from '#web/features/analytics/event-sources.ts';
import { forgetRecentSearches } from '#web/features/search/recent-searches.ts';
import { watchShortVisit } from '#web/features/analytics/short-visit.ts';
import { CURRENT_VERSION } from './version.ts';
import { publishHealthReport } from './health-report.ts';

/**
 * Runs after the first paint: keeps access up to date, forgets searches on logout, counts short
 * visits, publishes the health report.
 */
export async function startBackgroundTasks(client: QueryClient): Promise<void> {
  watchAccess(client);
  watchUser(client, (user) => {
    if (!user) forgetRecentSearches();
  });
  watchShortVisit({ queries: client, appVersion: CURRENT_VERSION });
  const hasFailed = client.getQueryState(currentUserQuery.queryKey)?.status === 'error';
  await publishHealthReport(hasFailed ? 'error' : 'ok');
}

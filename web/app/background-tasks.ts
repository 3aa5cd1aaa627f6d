import type { QueryClient } from '@tanstack/react-query';
import { currentUserQuery } from '#web/lib/current-user.ts';
import { watchAccess } from '#web/features/billing/watch-access.ts';
import { publishHealthReport } from './health-report.ts';

/** Runs after the first paint: keeps access up to date and publishes the health report. */
export async function startBackgroundTasks(client: QueryClient): Promise<void> {
  watchAccess(client);
  const hasFailed = client.getQueryState(currentUserQuery.queryKey)?.status === 'error';
  await publishHealthReport(hasFailed ? 'error' : 'ok');
}

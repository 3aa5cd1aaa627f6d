import type { QueryClient } from '@tanstack/react-query';
import { watchAccess } from '#web/features/billing/watch-access.ts';
import { publishHealthReport } from './health-report.ts';

/** Runs after the first paint: keeps access up to date and publishes the health report. */
export async function startBackgroundTasks(
  client: QueryClient,
  auth: 'ok' | 'error',
): Promise<void> {
  watchAccess(client);
  await publishHealthReport(auth);
}

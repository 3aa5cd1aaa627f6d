import type { QueryClient } from '@tanstack/react-query';
import { followAccess } from '#web/features/billing/follow-access.ts';
import { publishHealthReport } from './health-report.ts';

/** Loaded once the page shows: what changes on the server appears, and its health can be read. */
export async function lookAfterPage(client: QueryClient, auth: 'ok' | 'error'): Promise<void> {
  followAccess(client);
  await publishHealthReport(auth);
}

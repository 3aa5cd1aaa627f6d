import type { QueryClient } from '@tanstack/react-query';
import { watchUser } from '#web/features/analytics/event-sources.ts';
import { startAnalytics } from '#web/features/analytics/start-analytics.ts';
import { recordVisit, watchShortVisit } from '#web/features/analytics/short-visit.ts';
import { watchAccess } from './watch-access.ts';
import { forgetRecentSearches } from '#web/features/search/recent-searches.ts';
import { currentUserQuery } from '#web/lib/api/current-user.ts';
import { runWhenUnused } from '#web/lib/schedule/schedule.ts';
import { readDehydratedQueries } from './dehydrated-queries.ts';
import { watchThemeInOtherTabs } from '#web/lib/store/theme.ts';
import { overlayHistory } from '#web/ui/overlays/back-closes.ts';
import { createOverlayHistory } from '#web/ui/overlays/overlay-history.ts';
import type { Player } from '#web/player/create-player.ts';
import { publishHealthReport } from './health-report.ts';
import { watchOutages } from '#web/shell/outages.ts';
import { pageTransition } from '#web/router/page-change.ts';
import { createPageTransition } from '#web/router/page-transition.ts';
import { prefetchOnIntent } from '#web/router/prefetch.ts';
import { watchSlash } from '#web/shell/slash-shortcut.ts';
import { CURRENT_VERSION, watchVersion } from './version.ts';

type Page = { client: QueryClient; player: Player };

/** What no page needs for its first paint. Runs once. */
export async function startBackgroundTasks({ client, player }: Page): Promise<void> {
  overlayHistory.set(createOverlayHistory(window));
  watchOutages(client, player);
  confirmUser(client);
  watchSlash();
  watchThemeInOtherTabs();
  watchVersion();
  pageTransition.set(createPageTransition());
  prefetchOnIntent(client);
  watchAccess(client);
  watchUser(client, (user) => {
    if (!user) forgetRecentSearches();
  });
  recordVisit(client, player);
  watchShortVisit({ queries: client, appVersion: CURRENT_VERSION });
  startAnalyticsWhenIdle(client);
  await publishHealthReport(client);
}

/** A user who came with the page is checked once; the service worker learns of them this way too. */
function confirmUser(client: QueryClient): void {
  const hasCome = readDehydratedQueries().some(([[path]]) => path === currentUserQuery.queryKey[0]);
  if (hasCome && client.getQueryData(currentUserQuery.queryKey))
    void client.invalidateQueries(currentUserQuery);
}

/** Analytics start once the page shows its heading and has its data, and the browser is online. */
function startAnalyticsWhenIdle(queries: QueryClient): void {
  const isUsable = () =>
    document.querySelector('h1') !== null && queries.isFetching() === 0 && navigator.onLine;
  runWhenUnused(isUsable, () => startAnalytics({ queries, appVersion: CURRENT_VERSION }));
}

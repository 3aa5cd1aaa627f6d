import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { sendAnalyticsEvent } from '#web/lib/analytics-events.ts';
import type { Player } from '#web/player/create-player.ts';
import { usePlayer } from '#web/player/use-player.ts';
import { CURRENT_VERSION } from './version.ts';

const START_DELAY_MS = 2000;
let isStarted = false;

/** Analytics start once the page has loaded its data and the browser is online. */
function startWhenIdle(queries: QueryClient, player: Player): void {
  setTimeout(() => {
    if (queries.isFetching() > 0 || !navigator.onLine) return startWhenIdle(queries, player);
    import('#web/features/analytics/start-analytics.ts').then(
      ({ startAnalytics }) => startAnalytics({ queries, player, appVersion: CURRENT_VERSION }),
      (cause: unknown) => console.warn('Analytics failed to load.', cause),
    );
  }, START_DELAY_MS);
}

/** Rendered next to a page, so a page view is sent only once the page's code has loaded. */
export function PageAnalytics({ name }: { name: string }) {
  const queries = useQueryClient();
  const player = usePlayer();
  useEffect(() => sendAnalyticsEvent('Page Viewed', { name }), [name]);
  useEffect(() => {
    if (isStarted) return;
    isStarted = true;
    startWhenIdle(queries, player);
  }, [queries, player]);
  return null;
}

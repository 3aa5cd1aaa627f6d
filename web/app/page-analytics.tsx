import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { noteEvent } from '#web/lib/moments.ts';
import type { Player } from '#web/player/create-player.ts';
import { usePlayer } from '#web/player/use-player.ts';
import { CURRENT_VERSION } from './version.ts';

const SETTLING_MS = 2000;
let isStarted = false;

/** Analytics load once a page has shown itself and waits for nothing more, and there is a network to tell. */
function startWhenSettled(queries: QueryClient, player: Player): void {
  setTimeout(() => {
    if (queries.isFetching() > 0 || !navigator.onLine) return startWhenSettled(queries, player);
    import('#web/features/analytics/start.ts').then(
      ({ startAnalytics }) => startAnalytics({ queries, player, appVersion: CURRENT_VERSION }),
      (cause: unknown) => console.warn('The analytics did not load.', cause),
    );
  }, SETTLING_MS);
}

/** Stands beside a page, so that it appears when the page's code has: what nobody saw is not told. */
export function ViewedPage({ name }: { name: string }) {
  const queries = useQueryClient();
  const player = usePlayer();
  useEffect(() => noteEvent('Page Viewed', { name }), [name]);
  useEffect(() => {
    if (isStarted) return;
    isStarted = true;
    startWhenSettled(queries, player);
  }, [queries, player]);
  return null;
}

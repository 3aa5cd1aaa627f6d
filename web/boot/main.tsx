import { startTransition } from 'react';
import { stopKeepingPresses } from '#web/lib/schedule/early-press.ts';
import { startHydration } from '#web/lib/format/now.ts';
import { restoreDehydratedQueries, readRendered } from './dehydrated-queries.ts';
import { createQueryClient } from '#web/lib/api/query-client.ts';
import { nextTask, afterHydration } from '#web/lib/schedule/schedule.ts';
import '#web/styles/app.css';
import { findPage } from '#web/router/find-page.ts';
import { changePage } from '#web/router/page-change.ts';
import { createSitePlayer } from './site-player.ts';
import { createRoot, hydrateRoot } from './react-root.ts';
import { Site } from './site.tsx';

const root = document.getElementById('root');
if (!root) throw new Error('The page has no root element.');

void start(root);

/** In several tasks, between which the browser can paint and react. */
async function start(container: HTMLElement): Promise<void> {
  await nextTask();
  const { redirectedTo } = document.getElementById('answers')?.dataset ?? {};
  if (redirectedTo) history.replaceState(null, '', redirectedTo);
  const client = createQueryClient();
  restoreDehydratedQueries(client);
  await nextTask();
  const player = createSitePlayer(client);
  // Hot reload must not leave the old player playing.
  import.meta.hot?.dispose(player.dispose);
  const site = <Site client={client} player={player} aroundNav={changePage} />;
  // Some pages arrive with their content, others with the loader, which this replaces.
  if (!document.getElementById('loader')) {
    startHydration(readRendered());
    // With its code loaded, the page reacts as a whole.
    await findPage(location);
    startTransition(() => void hydrateRoot(container, site));
  } else createRoot(container).render(site);
  stopKeepingPresses();
}

// The first page does not wait for this. In development a cached app would hide changes.
if (import.meta.env.PROD) {
  const startOffline = () =>
    afterHydration(() => void import('./start-offline.ts').then((m) => m.startOffline()));
  if (document.readyState === 'complete') startOffline();
  else addEventListener('load', startOffline);
}

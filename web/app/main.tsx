import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createQueryClient } from '#web/lib/query-client.ts';
import { whenPageShows } from '#web/lib/run-after-first-paint.ts';
import '#web/styles/app.css';
import { App } from './app.tsx';
import { PlayerProvider } from './player/player-provider.tsx';
import { createSitePlayer } from './player/site-player.ts';

const root = document.getElementById('root');
if (!root) throw new Error('The page has no root element.');

const player = createSitePlayer();
// A module that is replaced while developing must not leave a player behind that still sounds.
import.meta.hot?.dispose(player.dispose);

createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={createQueryClient()}>
      <PlayerProvider player={player}>
        <App />
      </PlayerProvider>
    </QueryClientProvider>
  </StrictMode>,
);

// Nothing that the first page waits for. While developing, an app from the store would hide changes.
if (import.meta.env.PROD)
  addEventListener('load', () =>
    whenPageShows(() => void import('./offline/start-offline.ts').then((m) => m.startOffline())),
  );

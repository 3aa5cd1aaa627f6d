import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Router } from 'wouter';
import { createQueryClient } from '#web/lib/query-client.ts';
import { runAfterFirstPaint } from '#web/lib/run-after-first-paint.ts';
import { PlayerContext } from '#web/player/use-player.ts';
import { leaveOverlays } from '#web/ui/overlays/back-closes.ts';
import '#web/styles/app.css';
import { App } from './app.tsx';
import { createSitePlayer } from './player/site-player.ts';

const root = document.getElementById('root');
if (!root) throw new Error('The page has no root element.');

const client = createQueryClient();
const player = createSitePlayer(client);
// Hot reload must not leave the old player playing.
import.meta.hot?.dispose(player.dispose);

createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={client}>
      <PlayerContext value={player}>
        <Router aroundNav={leaveOverlays}>
          <App />
        </Router>
      </PlayerContext>
    </QueryClientProvider>
  </StrictMode>,
);

// The first page does not wait for this. In development a cached app would hide changes.
if (import.meta.env.PROD)
  addEventListener('load', () =>
    runAfterFirstPaint(
      () => void import('./offline/start-offline.ts').then((m) => m.startOffline()),
    ),
  );

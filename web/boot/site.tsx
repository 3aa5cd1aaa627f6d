import { QueryClientProvider, type QueryClient } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { Router, type RouterProps } from 'wouter';
import type { Player } from '#web/player/create-player.ts';
import { PlayerContext } from '#web/player/use-player.ts';
import { App } from './app.tsx';

type SiteProps = Omit<RouterProps, 'children'> & { client: QueryClient; player: Player };

/** The whole page, the same in the browser and on the server. */
export const Site = ({ client, player, ...router }: SiteProps) => (
  <StrictMode>
    <QueryClientProvider client={client}>
      <PlayerContext value={player}>
        <Router {...router}>
          <App />
        </Router>
      </PlayerContext>
    </QueryClientProvider>
  </StrictMode>
);

import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Redirect, useLocation } from 'wouter';
import { cleanPath } from '#contract/page-paths.ts';
import { useQueryString } from '#web/lib/location/use-query-param.ts';
import { bootChanges } from '#web/lib/store/boot.ts';
import { useStore } from '#web/lib/store/store.ts';
import { afterHydration } from '#web/lib/schedule/schedule.ts';
import { usePlayer } from '#web/player/use-player.ts';
import { ErrorBoundary } from '../ui/error-boundary.tsx';
import { findRoute } from '#web/router/find-page.ts';
import { PageView } from '#web/router/page-view.tsx';
import type { startBackgroundTasks } from './background-tasks.ts';
import { landingRoute } from '#web/router/routes.ts';
import { Shell } from '#web/shell/shell.tsx';
import { ToastHost } from '#web/shell/toast-host.tsx';

export function App() {
  const client = useQueryClient();
  const player = usePlayer();
  const [path] = useLocation();
  const search = useQueryString();
  // What the site gives can change under an open page.
  useStore(bootChanges);
  useEffect(
    () => afterHydration(() => void loadBackgroundTasks({ client, player })),
    [client, player],
  );
  // Before any route is matched, the landing page's too.
  if (cleanPath(path) !== path) {
    const hash = typeof window === 'undefined' ? '' : window.location.hash;
    return <Redirect to={cleanPath(path) + search + hash} replace />;
  }
  return (
    <ErrorBoundary>
      {findRoute(path).route === landingRoute ? <PageView route={landingRoute} /> : <Shell />}
      <ToastHost />
    </ErrorBoundary>
  );
}

const loadBackgroundTasks = (page: Parameters<typeof startBackgroundTasks>[0]) =>
  import('./background-tasks.ts').then(
    (module) => module.startBackgroundTasks(page),
    (error: unknown) => console.warn('Background tasks failed to load.', error),
  );

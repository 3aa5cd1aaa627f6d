import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Redirect, Route, Switch, useLocation, useRouter } from 'wouter';
import { cleanPath } from '#contract/page-paths.ts';
import { useQueryString } from '#web/lib/location/use-query-param.ts';
import { afterHydration } from '#web/lib/schedule/later.ts';
import { usePlayer } from '#web/player/use-player.ts';
import { ErrorBoundary } from '../ui/error-boundary.tsx';
import { PageView } from '#web/router/route-switch.tsx';
import type { startBackgroundTasks } from './background-tasks.ts';
import { landingRoute } from '#web/router/routes.ts';
import { Shell } from '#web/shell/shell.tsx';
import { ToastHost } from '#web/shell/toast-host.tsx';

export function App() {
  const { parser } = useRouter();
  const client = useQueryClient();
  const player = usePlayer();
  const [path] = useLocation();
  const search = useQueryString();
  useEffect(
    () => afterHydration(() => void loadBackgroundTasks({ client, player, parser })),
    [client, player, parser],
  );
  // Before any route is matched, the landing page's too.
  if (cleanPath(path) !== path) {
    const hash = typeof window === 'undefined' ? '' : window.location.hash;
    return <Redirect to={cleanPath(path) + search + hash} replace />;
  }
  return (
    <ErrorBoundary>
      <Switch>
        <Route path={landingRoute.path}>
          <PageView route={landingRoute} />
        </Route>
        <Route>
          <Shell />
        </Route>
      </Switch>
      <ToastHost />
    </ErrorBoundary>
  );
}

const loadBackgroundTasks = (page: Parameters<typeof startBackgroundTasks>[0]) =>
  import('./background-tasks.ts').then(
    (module) => module.startBackgroundTasks(page),
    (error: unknown) => console.warn('Background tasks failed to load.', error),
  );

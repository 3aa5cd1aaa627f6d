import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { matchRoute, Redirect, Route, Switch, useLocation, useRouter, type Parser } from 'wouter';
import { cleanPath } from '#web/lib/guard.ts';
import { runAfterFirstPaint } from '#web/lib/run-after-first-paint.ts';
import { watchThemeInOtherTabs } from '#web/lib/theme.ts';
import { ErrorBoundary } from '../ui/error-boundary.tsx';
import { PageView } from './route-switch.tsx';
import { adminRoute, landingRoute, rareRoute, shellRoutes } from './routes.ts';
import { Shell } from './shell/shell.tsx';
import { ToastHost } from './toast-host.tsx';
import { watchVersion } from './version.ts';

export function App() {
  const { parser } = useRouter();
  const client = useQueryClient();
  const [path] = useLocation();
  const { search, hash } = window.location;
  useEffect(watchVersion, []);
  useEffect(watchThemeInOtherTabs, []);
  useEffect(() => prefetchOnIntent(parser), [parser]);
  useEffect(() => runAfterFirstPaint(() => void loadBackgroundTasks(client)), [client]);
  // Before any route is matched, the landing page's too.
  if (cleanPath(path) !== path) return <Redirect to={cleanPath(path) + search + hash} replace />;
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

const loadBackgroundTasks = (client: QueryClient) =>
  import('./background-tasks.ts').then(
    (module) => module.startBackgroundTasks(client),
    (error: unknown) => console.warn('Background tasks failed to load.', error),
  );

const allRoutes = [...shellRoutes, adminRoute, landingRoute, rareRoute];

/** Starts loading a page's code when its link is hovered or focused. */
function prefetchOnIntent(parser: Parser): () => void {
  const onIntent = (event: Event) => {
    const link = event.target instanceof Element ? event.target.closest('a[href]') : null;
    if (!(link instanceof HTMLAnchorElement) || link.origin !== location.origin) return;
    const path = cleanPath(link.pathname);
    allRoutes.find((route) => matchRoute(parser, route.path, path)[0])?.prefetch();
  };
  document.addEventListener('pointerover', onIntent, { passive: true });
  document.addEventListener('focusin', onIntent);
  return () => {
    document.removeEventListener('pointerover', onIntent);
    document.removeEventListener('focusin', onIntent);
  };
}

import { Suspense, useEffect, useState } from 'react';
import { Route, Switch, useLocation } from 'wouter';
import { boot } from '#web/lib/store/boot.ts';
import { repeatEarlyPress } from '#web/lib/schedule/early-press.ts';
import { endHydration } from '#web/lib/format/now.ts';
import { sendAnalyticsEvent } from '#web/lib/analytics/analytics-events.ts';
import { ErrorBoundary } from '../ui/error-boundary.tsx';
import { PageSkeleton } from './page-skeleton.tsx';
import type { Route as AppRoute } from './route.ts';

type RouteSwitchProps = { routes: readonly AppRoute[]; otherwise: AppRoute };

/** Renders the first route that matches the address, or `otherwise`. */
export const RouteSwitch = ({ routes, otherwise }: RouteSwitchProps) => (
  <Switch>
    {routes.map((route) => (
      <Route key={route.path} path={route.path}>
        <PageView route={route} />
      </Route>
    ))}
    <Route>
      <PageView route={otherwise} />
    </Route>
  </Switch>
);

/** A page with its title, its skeleton while the code loads, and its own error view. */
export function PageView({ route }: { route: AppRoute }) {
  const [location] = useLocation();
  const [, setAttempt] = useState(0);
  const retry = () => {
    route.reload();
    setAttempt((attempt) => attempt + 1);
  };
  useEffect(() => {
    if (route.title) document.title = `${route.title} · ${boot.siteName}`;
  }, [route]);
  return (
    <ErrorBoundary resetKey={location} onRetry={retry}>
      <Suspense fallback={<PageSkeleton kind={route.skeleton} />}>
        <route.Part />
        {route.title && <PageOpened key={location} name={route.path} />}
      </Suspense>
    </ErrorBoundary>
  );
}

/** Rendered next to a page, so this happens only once the page's code has loaded. */
function PageOpened({ name }: { name: string }) {
  useEffect(() => {
    endHydration();
    repeatEarlyPress();
    sendAnalyticsEvent('Page Viewed', { name });
  }, [name]);
  return null;
}

import { Suspense, useEffect, useState } from 'react';
import { Route, useLocation } from 'wouter';
import { boot } from '#web/lib/store/boot.ts';
import { repeatEarlyPress } from '#web/lib/schedule/early-press.ts';
import { endHydration } from '#web/lib/format/now.ts';
import { sendAnalyticsEvent } from '#web/lib/analytics/analytics-events.ts';
import { ErrorBoundary } from '../ui/error-boundary.tsx';
import { PageSkeleton } from './page-skeleton.tsx';
import { findRoute } from './find-page.ts';
import type { Route as AppRoute } from './route.ts';

/** Renders the first of these pages that matches the address, or the one that says there is none. */
export function PageAtAddress({ table }: { table: readonly AppRoute[] }) {
  const [location] = useLocation();
  const { route } = findRoute(location, table);
  return (
    <Route key={route.path} path={route.path}>
      <PageView route={route} />
    </Route>
  );
}

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

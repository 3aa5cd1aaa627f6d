import { Suspense, useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { boot } from '#web/lib/boot.ts';
import { ErrorBoundary } from '../ui/error-boundary.tsx';
import { PageSkeleton } from './page-skeleton.tsx';
import type { Route } from './route.ts';
import { ViewedPage } from './page-analytics.tsx';

/** One page in its place: its title, its skeleton while the code arrives, its own error view. */
export function PageView({ route }: { route: Route }) {
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
        {route.title && <ViewedPage key={location} name={route.path} />}
      </Suspense>
    </ErrorBoundary>
  );
}

import { useEffect } from 'react';
import { matchRoute, Route, Switch, useRouter, type Parser } from 'wouter';
import { cleanPath } from '#web/lib/guard.ts';
import { watchThemeInOtherTabs } from '#web/lib/theme.ts';
import { ErrorBoundary } from '../ui/error-boundary.tsx';
import { PageView } from './route-switch.tsx';
import { adminRoute, landingRoute, rareRoute, shellRoutes } from './routes.ts';
import { Shell } from './shell/shell.tsx';
import { ToastHost } from './toast-host.tsx';
import { watchVersion } from './version.ts';

export function App() {
  const { parser } = useRouter();
  useEffect(watchVersion, []);
  useEffect(watchThemeInOtherTabs, []);
  useEffect(() => prefetchOnIntent(parser), [parser]);
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

import { useEffect } from 'react';
import { Route, Switch, useRouter } from 'wouter';
import { followThemeOfOtherTabs } from '#web/lib/theme.ts';
import { ErrorBoundary } from '../ui/error-boundary.tsx';
import { PageView } from './route-view.tsx';
import { prefetchOnIntent } from './prefetch.ts';
import { landingRoute } from './routes.ts';
import { Shell } from './shell/shell.tsx';
import { ToastHost } from './toast-host.tsx';
import { watchVersion } from './version.ts';

export function App() {
  const { parser } = useRouter();
  useEffect(watchVersion, []);
  useEffect(followThemeOfOtherTabs, []);
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

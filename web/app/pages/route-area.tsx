import { Route, Switch } from 'wouter';
import { PageView } from '../page-view.tsx';
import type { Route as AppRoute } from '../route.ts';
import { notFoundRoute } from './other-routes.ts';

/** A part of the site whose routes load with its first page. */
export function RouteArea({ routes }: { routes: readonly AppRoute[] }) {
  return (
    <Switch>
      {routes.map((route) => (
        <Route key={route.path} path={route.path}>
          <PageView route={route} />
        </Route>
      ))}
      <Route>
        <PageView route={notFoundRoute} />
      </Route>
    </Switch>
  );
}

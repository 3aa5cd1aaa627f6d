import { Route, Switch } from 'wouter';
import { PageView } from '../page-view.tsx';
import { notFoundRoute, otherRoutes } from './other-routes.ts';

export function OtherArea() {
  return (
    <Switch>
      {otherRoutes.map((route) => (
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

import { Route, Switch } from 'wouter';
import { PageView } from '../../page-view.tsx';
import { notFoundRoute } from '../other-routes.ts';
import { adminRoutes } from './admin-routes.ts';

export function AdminArea() {
  return (
    <Switch>
      {adminRoutes.map((route) => (
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

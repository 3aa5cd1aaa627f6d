import { Route, Switch } from 'wouter';
import { PageView } from './route-view.tsx';
import type { Route as AppRoute } from './route.ts';

type RouteSwitchProps = { routes: readonly AppRoute[]; otherwise: AppRoute };

/** The first route that fits the address, or what stands where none does. */
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

import type { Route } from './route.ts';
import { RouteSwitch } from './route-switch.tsx';
import { notFoundRoute } from './rare-routes.ts';

/** A part of the site whose routes load with its first page. */
export const RouteArea = ({ routes }: { routes: readonly Route[] }) => (
  <RouteSwitch routes={routes} otherwise={notFoundRoute} />
);

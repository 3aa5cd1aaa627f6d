import { notFoundRoute } from '#web/app/rare-routes.tsx';
import { RouteSwitch } from '#web/app/route-switch.tsx';
import { adminRoutes } from './admin-routes.ts';

export const Page = () => <RouteSwitch routes={adminRoutes} otherwise={notFoundRoute} />;

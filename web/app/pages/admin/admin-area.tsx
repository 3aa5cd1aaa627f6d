import { RouteArea } from '#web/app/route-area.tsx';
import { adminRoutes } from './admin-routes.ts';

export const AdminArea = () => <RouteArea routes={adminRoutes} />;

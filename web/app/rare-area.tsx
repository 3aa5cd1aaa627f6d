import { otherRoutes } from './rare-routes.ts';
import { RouteArea } from './route-area.tsx';

export const OtherArea = () => <RouteArea routes={otherRoutes} />;

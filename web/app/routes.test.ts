import { expect, it } from 'vitest';
import { adminRoutes } from './pages/admin/admin-routes.ts';
import { adminRoute, landingRoute, notFoundRoute, shellRoutes } from './routes.ts';

const LAZY = Symbol.for('react.lazy');

it.each([...shellRoutes, adminRoute, ...adminRoutes, landingRoute, notFoundRoute])(
  'the page at $path loads lazily, also after a failure',
  (route) => {
    const first = route.Part;
    expect(first.$$typeof).toBe(LAZY);
    route.reload();
    expect(route.Part.$$typeof).toBe(LAZY);
    expect(route.Part).not.toBe(first);
  },
);

import { expect, it } from 'vitest';
import { adminRoutes } from './pages/admin/admin-routes.ts';
import { notFoundRoute, otherRoutes } from './rare-routes.ts';
import { adminRoute, landingRoute, otherRoute, shellRoutes } from './routes.ts';

const LAZY = Symbol.for('react.lazy');

const routes = [
  ...shellRoutes,
  adminRoute,
  ...adminRoutes,
  landingRoute,
  otherRoute,
  ...otherRoutes,
  notFoundRoute,
];

it.each(routes)('the page at $path loads lazily, also after a failure', (route) => {
  const first = route.Part;
  expect(first.$$typeof).toBe(LAZY);
  route.reload();
  expect(route.Part.$$typeof).toBe(LAZY);
  expect(route.Part).not.toBe(first);
});

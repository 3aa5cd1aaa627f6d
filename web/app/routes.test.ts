import { expect, it } from 'vitest';
import { adminRoutes } from './pages/admin/admin-routes.tsx';
import { notFoundRoute, rareRoutes } from './rare-routes.tsx';
import { adminRoute, landingRoute, rareRoute, shellRoutes } from './routes.ts';

const LAZY = Symbol.for('react.lazy');

const routes = [
  ...shellRoutes,
  adminRoute,
  ...adminRoutes,
  landingRoute,
  rareRoute,
  ...rareRoutes,
  notFoundRoute,
];

it.each(routes)('the page at $path loads lazily, also after a failure', (route) => {
  const first = route.Part;
  expect(first.$$typeof).toBe(LAZY);
  route.reload();
  expect(route.Part.$$typeof).toBe(LAZY);
  expect(route.Part).not.toBe(first);
});

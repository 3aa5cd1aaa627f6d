import { expect, it } from 'vitest';
import { adminRoutes, landingRoute, notFoundRoute, shellRoutes } from './routes.ts';

const LAZY = Symbol.for('react.lazy');

it.each([...shellRoutes, ...adminRoutes, landingRoute, notFoundRoute])(
  'the page at $path loads lazily, also after a failure',
  (route) => {
    const first = route.Page;
    expect(first.$$typeof).toBe(LAZY);
    route.reload();
    expect(route.Page.$$typeof).toBe(LAZY);
    expect(route.Page).not.toBe(first);
  },
);

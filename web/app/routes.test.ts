import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
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

it('no code imports a page statically, which would load it with that code', () => {
  const root = join(import.meta.dirname, '../..');
  const importsPage = /\b(?:import|export)\s+\{[^}]*\bPage\b[^}]*\}\s+from\b/;
  expect("import { a, Page as Home } from './home.tsx'").toMatch(importsPage);
  const sources = globSync('web/**/*.{ts,tsx}', { cwd: root });
  const importing = sources
    .filter((path) => !/\.test\.tsx?$/.test(path))
    .filter((path) => importsPage.test(readFileSync(join(root, path), 'utf8')));
  expect(sources.length).toBeGreaterThan(100);
  expect(importing).toEqual([]);
});

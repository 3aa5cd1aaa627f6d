import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { matchRoute, useRouter, type RouterObject } from 'wouter';
import { cleanPath, isPagePath, listPagePaths } from '#contract/page-paths.ts';
import { siteRoutes } from '../../e2e/support/site-routes.ts';
import { siteTitles } from '#server/features/public-pages/site-heads.ts';
import { routes as adminRoutes } from '#web/admin/admin-routes.tsx';
import { adminRoute, landingRoute, notFoundRoute, routes as pages } from './routes.ts';

const LAZY = Symbol.for('react.lazy');

const routes = [...pages, adminRoute, ...adminRoutes, landingRoute, notFoundRoute];

it.each(routes)('the page at $path, route %#, loads lazily, also after a failure', (route) => {
  const first = route.Part;
  expect(first.$$typeof).toBe(LAZY);
  route.reload();
  expect(route.Part.$$typeof).toBe(LAZY);
  expect(route.Part).not.toBe(first);
});

function readRouter(): RouterObject {
  const routers: RouterObject[] = [];
  const Reader = () => {
    routers.push(useRouter());
    return null;
  };
  renderToStaticMarkup(createElement(Reader));
  const [router] = routers;
  if (!router) throw new Error('There is no router.');
  return router;
}

describe('the paths of the pages', () => {
  const paths = routes.map(({ path }) => path).filter((path) => !path.includes('*'));

  it('are those that the server knows', () => {
    expect(paths.toSorted()).toEqual(listPagePaths().toSorted());
  });

  it('are all in the list of what the specification says of them', () => {
    const opened = siteRoutes.map(({ path }) => cleanPath(path.split('?')[0] ?? ''));
    const { parser } = readRouter();
    const isOpened = (path: string) => opened.some((one) => matchRoute(parser, path, one)[0]);
    expect(paths.filter((path) => !isOpened(path))).toEqual([]);
  });

  it('have the titles that the server gives them', () => {
    for (const { path, title } of siteTitles)
      expect([path, routes.find((route) => route.path === path)?.title]).toEqual([path, title]);
  });

  it('match the same addresses as on the server', () => {
    const ends = ['', '/', '/x', '/x/y', 'x', '.png', '//'];
    const addresses = paths.flatMap((path) => {
      const address = path.replaceAll(/:\w+/g, 'some-id.2');
      return [address, address.toUpperCase()].flatMap((start) =>
        ends.map((end) => `${start}${end}`.replace('///', '/')),
      );
    });
    const { parser } = readRouter();
    const hasPage = (address: string) =>
      paths.some((path) => matchRoute(parser, path, cleanPath(address))[0]);
    for (const address of [...addresses, '/no/such-page', '/track', '/admin/x', '/index.html'])
      expect([address, isPagePath(address)]).toEqual([address, hasPage(address)]);
  });
});

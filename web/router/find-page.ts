import { parse } from 'regexparam';
import { matchRoute } from 'wouter';
import { cleanPath } from '#contract/page-paths.ts';
import type { PageModule, Route, Visit } from './route.ts';
import { adminRoute, landingRoute, notFoundRoute, routes } from './routes.ts';

export type Address = Pick<URL, 'pathname' | 'search'>;
export type FoundPage = { route: Route; page: PageModule; params: Visit['params'] };

const allRoutes = [...routes, landingRoute, adminRoute];

/** The page at a path; if there is none, the one that says so. */
export function findRoute(path: string, table: readonly Route[] = allRoutes) {
  const clean = cleanPath(path);
  for (const route of table) {
    const [isMatch, params] = matchRoute(parse, route.path, clean);
    if (isMatch) return { route, params };
  }
  return { route: notFoundRoute, params: {} };
}

/** Loads the code of the page at an address. Undefined if that fails. */
export async function findPage(
  address: Address,
  table?: readonly Route[],
): Promise<FoundPage | undefined> {
  const { route, params } = findRoute(address.pathname, table);
  const page = await route.load().catch(() => undefined);
  return page?.routes ? findPage(address, page.routes) : page && { route, page, params };
}

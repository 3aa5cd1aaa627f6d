import { matchRoute, type Parser } from 'wouter';
import { cleanPath } from '#contract/page-paths.ts';
import type { PageModule, Route, Visit } from './route.ts';
import { adminRoute, landingRoute, rareRoute, shellRoutes } from './routes.ts';

export type Address = Pick<URL, 'pathname' | 'search'>;
export type FoundPage = { page: PageModule; params: Visit['params'] };

const allRoutes = [...shellRoutes, adminRoute, landingRoute, rareRoute];

/** Loads the code of the page at an address. Undefined if that fails, or there is no page. */
export async function findPage(
  parser: Parser,
  address: Address,
  routes: readonly Route[] = allRoutes,
): Promise<FoundPage | undefined> {
  const path = cleanPath(address.pathname);
  for (const route of routes) {
    const [isMatch, params] = matchRoute(parser, route.path, path);
    if (!isMatch) continue;
    const page = await route.load().catch(() => undefined);
    if (page?.routes) return findPage(parser, address, page.routes);
    await Promise.all((page?.parts ?? []).map((part) => part.load().catch(() => undefined)));
    return page && { page, params };
  }
  return undefined;
}

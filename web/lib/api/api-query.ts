import {
  infiniteQueryOptions,
  queryOptions,
  type QueryClient,
  type QueryFunctionContext,
} from '@tanstack/react-query';
import type { Api } from '#contract/api.ts';
import type { Page } from '#contract/paging.ts';
import type { RouteOutput } from '#contract/route.ts';
import { buildPath, type CallArgs } from './api.ts';
import { fetchByKey, fetchPage, FIRST_PAGE, retryOnce } from './query-client.ts';

type GetRoute = Extract<keyof Api, `GET ${string}`>;
type Input<K extends GetRoute> =
  CallArgs<K> extends [input?: infer I, ...rest: unknown[]] ? I : never;
type InputArgs<K extends GetRoute> =
  undefined extends Input<K> ? [input?: undefined] : [input: Input<K>];

type Query = NonNullable<Parameters<typeof buildPath>[2]>;
type AnyInput = { params?: Record<string, string>; query?: Query };

/** Null once the user has logged out, unless it is an answer of the catalogue. */
type Answer<K extends GetRoute> = K extends `GET /api/${'tracks' | 'top-20' | 'downloads'}${string}`
  ? RouteOutput<Api[K]>
  : RouteOutput<Api[K]> | null;

const splitRoute = (route: GetRoute, input: unknown) => {
  const { params, query = {} } = (input ?? {}) as AnyInput;
  return { path: buildPath(route.slice('GET '.length), params), query };
};

/** A query for a GET route of the contract: `apiQuery('GET /api/playlists/:id', { params: { id } })`. */
export const apiQuery = <K extends GetRoute>(route: K, ...[input]: InputArgs<K>) => {
  const { path, query } = splitRoute(route, input);
  return queryOptions<Answer<K>, Error, Answer<K>, [url: string]>({
    queryKey: [buildPath(path, {}, query)],
    retry: retryOnce,
  });
};

/** A query for a GET route that returns a page and the cursor of the next one. */
export const pagedQuery = <K extends GetRoute>(route: K, ...[input]: InputArgs<K>) => {
  const { path, query } = splitRoute(route, input);
  return infiniteQueryOptions({
    queryKey: [path, 'pages', query] as const,
    initialPageParam: FIRST_PAGE,
    queryFn: (context) =>
      fetchPage(
        context,
        buildPath(path, {}, { ...query, cursor: context.pageParam ?? undefined }),
        (page) => page as RouteOutput<Api[K]>,
      ),
    getNextPageParam: (page) => (page as Page<unknown>).nextCursor ?? undefined,
    retry: retryOnce,
  });
};

/** All items of a list, however many pages that takes. Null once the user has logged out. */
export async function fetchAllPages<Item>(
  context: QueryFunctionContext,
  path: string,
  query: Query,
): Promise<Item[] | null> {
  const items: Item[] = [];
  let cursor: string | undefined;
  do {
    const url = buildPath(path, {}, { ...query, cursor });
    const page = (await fetchByKey({ ...context, queryKey: [url] })) as Page<Item> | null;
    if (!page) return null;
    items.push(...page.items);
    cursor = page.nextCursor ?? undefined;
  } while (cursor);
  return items;
}

/** Asks again for what came from these addresses and the ones below them. */
export const refreshPaths = (client: QueryClient, ...paths: readonly string[]) =>
  client.invalidateQueries({
    predicate: ({ queryKey: [url] }) => paths.some((path) => isBelow(String(url), path)),
  });

const isBelow = (url: string, path: string): boolean =>
  url === path || url.startsWith(`${path}/`) || url.startsWith(`${path}?`);

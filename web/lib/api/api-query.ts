import { infiniteQueryOptions, queryOptions, type QueryKey } from '@tanstack/react-query';
import type { Api } from '#contract/api.ts';
import type { RouteOutput } from '#contract/route.ts';
import { call, isLoggedOut, type CallArgs } from './api.ts';
import { FIRST_PAGE } from './query-client.ts';

type Input<K extends keyof Api> =
  CallArgs<K> extends [input?: infer I, ...rest: unknown[]] ? I : never;
type InputArgs<K extends keyof Api> =
  undefined extends Input<K> ? [input?: undefined] : [input: Input<K>];

/** Null once the user has logged out, as the default query function returns. */
export async function callUnlessLoggedOut<K extends keyof Api>(
  route: K,
  input: unknown,
  signal: AbortSignal,
): Promise<RouteOutput<Api[K]> | null> {
  try {
    return await call(route, ...([input, { signal }] as unknown as CallArgs<K>));
  } catch (error) {
    if (isLoggedOut(error)) return null;
    throw error;
  }
}

/** A query for a GET route of the contract. */
export const apiQuery = <K extends keyof Api, Key extends QueryKey>(
  queryKey: Key,
  route: K,
  ...[input]: InputArgs<K>
) =>
  queryOptions({
    queryKey,
    queryFn: ({ signal }) => callUnlessLoggedOut(route, input, signal),
  });

/** A query for a GET route that returns a page and the cursor of the next one. */
export const pagedQuery = <K extends keyof Api, Key extends QueryKey>(
  queryKey: Key,
  route: K,
  ...[input]: InputArgs<K>
) =>
  infiniteQueryOptions({
    queryKey,
    initialPageParam: FIRST_PAGE,
    queryFn: ({ pageParam: cursor, signal }) => {
      const { query, ...rest } = (input ?? {}) as { query?: object };
      const page = { ...rest, query: { ...query, ...(cursor && { cursor }) } };
      return call(route, ...([page, { signal }] as unknown as CallArgs<K>));
    },
    getNextPageParam: (page) => (page as { nextCursor: string | null }).nextCursor ?? undefined,
  });

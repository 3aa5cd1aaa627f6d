import type { Query, QueryClient, QueryKey } from '@tanstack/react-query';

/** How long an answer that came with the page, or was loaded ahead of it, isn't asked for again. */
const FRESH_MS = 10_000;

/** When such an answer came. A later answer to the same query is stale at once again. */
const cameAhead = new WeakMap<object, number>();

/** Call it after the answer is in the cache. */
export function keepFresh(client: QueryClient, key: QueryKey): void {
  const query = client.getQueryCache().find({ queryKey: key });
  if (query) cameAhead.set(query, query.state.dataUpdatedAt);
}

export const findStaleTime = (query: Pick<Query, 'state'>): number =>
  cameAhead.get(query) === query.state.dataUpdatedAt ? FRESH_MS : 0;

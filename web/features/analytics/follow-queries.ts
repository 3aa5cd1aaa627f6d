import type { Query, QueryClient } from '@tanstack/react-query';
import type { User } from '#contract/accounts.ts';
import { currentUserQuery } from '#web/lib/current-user.ts';
import type { Told } from '#web/lib/moments.ts';

const SEARCH_PATH = '/api/tracks/search';

type SearchKey = readonly [string, string, { q?: unknown }];
type SearchPages = { pages?: { items?: unknown[] }[] };

/** A search is told of with its first answer; looking at it again is none. */
export function eventOfSearch({ queryKey, state }: Pick<Query, 'queryKey' | 'state'>): Told | null {
  const [path, , filter] = queryKey as unknown as SearchKey;
  if (path !== SEARCH_PATH || state.status !== 'success' || state.dataUpdateCount !== 1)
    return null;
  const items = (state.data as SearchPages | undefined)?.pages?.[0]?.items;
  if (typeof filter?.q !== 'string' || !items) return null;
  return { name: 'Search', fields: { query: filter.q, results_count: items.length } };
}

/** Everything that a query has answered: what is known already, and every answer to come. */
function followAnswers(client: QueryClient, onAnswer: (query: Query) => void): void {
  const cache = client.getQueryCache();
  for (const query of cache.getAll()) if (query.state.data !== undefined) onAnswer(query);
  cache.subscribe((change) => {
    if (change.type === 'updated' && change.action.type === 'success') onAnswer(change.query);
  });
}

export function followUser(client: QueryClient, onUser: (user: User | null) => void): void {
  followAnswers(client, ({ queryKey, state }) => {
    if (queryKey[0] === currentUserQuery.queryKey[0]) onUser(state.data as User | null);
  });
}

export function followSearches(client: QueryClient, tell: (event: Told) => void): void {
  followAnswers(client, (query) => {
    const event = eventOfSearch(query);
    if (event) tell(event);
  });
}

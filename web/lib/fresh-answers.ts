import type { FetchQueryOptions, QueryClient, QueryKey } from '@tanstack/react-query';

/** For so long nothing asks again for what came with the page or was loaded ahead of it. */
const FRESH_MS = 10_000;
/** Marks the date of such an answer: no other date has half a millisecond. */
const MARK = 0.5;

/** Data is stale at once, so the date of an answer that stays fresh lies in the future. */
export function setFreshAnswer(client: QueryClient, key: QueryKey, data: unknown): void {
  client.setQueryData(key, data, { updatedAt: Date.now() + FRESH_MS + MARK });
}

/** When an answer with this date came. */
export const findAnswerTime = (updatedAt: number): number =>
  Number.isInteger(updatedAt) ? updatedAt : updatedAt - FRESH_MS - MARK;

/** Asks the server, even for what is fresh. */
export async function askAgain<Data, Key extends QueryKey>(
  client: QueryClient,
  query: FetchQueryOptions<Data, Error, Data, Key>,
): Promise<Data> {
  await client.invalidateQueries({ queryKey: query.queryKey, exact: true, refetchType: 'none' });
  return client.fetchQuery({ ...query, staleTime: 0 });
}

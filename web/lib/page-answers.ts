import type { QueryClient, QueryKey } from '@tanstack/react-query';

/** What the server has already asked for: the key of a query and its data. */
export type PageAnswer = [key: QueryKey, data: unknown];

/** The answers that came with this page. */
export const readPageAnswers = (): PageAnswer[] =>
  JSON.parse(document.getElementById('answers')?.textContent ?? '[]');

/** While the page starts, its parts don't ask again for what came with it. */
const FRESH_MS = 10_000;

/** Puts the answers that came with the page into the cache. */
export function addPageAnswers(client: QueryClient): void {
  for (const [key, data] of readPageAnswers())
    // Data is stale at once, so this date is when it becomes so.
    client.setQueryData(key, data, { updatedAt: Date.now() + FRESH_MS });
}

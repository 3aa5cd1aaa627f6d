import type { QueryClient, QueryKey } from '@tanstack/react-query';
import { keepFresh } from '#web/lib/fresh-answers.ts';
import type { Rendered } from '#web/lib/now.ts';

/** What the server has already asked for: the key of a query and its data. */
export type PageAnswer = [key: QueryKey, data: unknown];

/** The answers that came with this page. */
export const readPageAnswers = (): PageAnswer[] =>
  JSON.parse(document.getElementById('answers')?.textContent ?? '[]');

/** When the server rendered this page; undefined if it came empty. */
export function readRendered(): Rendered | undefined {
  const { renderedAt, today, dayEndsAt } = document.getElementById('answers')?.dataset ?? {};
  if (!renderedAt || !today) return undefined;
  return { at: Number(renderedAt), today, dayEndsAt: Number(dayEndsAt) };
}

/** Puts the answers that came with the page into the cache: while it starts, nothing asks again. */
export function addPageAnswers(client: QueryClient): void {
  for (const [key, data] of readPageAnswers()) {
    client.setQueryData(key, data);
    keepFresh(client, key);
  }
}

import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { apiQuery } from '#web/lib/api/api-query.ts';

const FRESH_MS = 60_000;

/** Each text has its own key, so suggestions never appear under a different text. */
export const suggestQuery = (text: string) =>
  queryOptions({
    ...apiQuery('GET /api/tracks/suggest', { query: { q: text } }),
    enabled: text !== '',
    staleTime: FRESH_MS,
    placeholderData: keepPreviousData,
  });

export const searchPath = (text: string): string => `/search?q=${encodeURIComponent(text)}`;

import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { Suggestions } from '#contract/search.ts';
import { buildPath } from '#web/lib/api.ts';

const FRESH_MS = 60_000;

/** Each text has a key of its own, so an answer never stands under another text than its own. */
export const suggestQuery = (text: string) =>
  queryOptions<Suggestions>({
    queryKey: [buildPath('/api/tracks/suggest', {}, { q: text })],
    enabled: text !== '',
    staleTime: FRESH_MS,
    // Suggestions are a help: without them the box still searches.
    retry: false,
    placeholderData: keepPreviousData,
  });

export const searchPath = (text: string): string => `/search?q=${encodeURIComponent(text)}`;

import { useLocation } from 'wouter';
import type { LibraryState } from '#contract/tracks.ts';
import { buildPath } from '#web/lib/api.ts';
import { useQueryParam } from '#web/lib/use-query-param.ts';

export type LibraryFilter = {
  state?: LibraryState | undefined;
  genre?: string | undefined;
  year?: number | undefined;
};

const STATES: readonly string[] = ['listened', 'missed', 'downloaded'] satisfies LibraryState[];

/** An address comes from outside: what it cannot mean is left out. */
export function parseFilter(read: (name: string) => string | null): LibraryFilter {
  const state = read('state') ?? '';
  const year = Number(read('year'));
  return {
    state: STATES.includes(state) ? (state as LibraryState) : undefined,
    genre: read('genre')?.slice(0, 60) || undefined,
    year: Number.isInteger(year) && year >= 1990 && year <= 9999 ? year : undefined,
  };
}

export const libraryPath = (filter: LibraryFilter): string => buildPath('/library', {}, filter);

/** The filter lives in the address: it can be shared, and Back takes back a choice. */
export function useLibraryFilter(): [LibraryFilter, (change: LibraryFilter) => void] {
  const [, navigate] = useLocation();
  const given = {
    state: useQueryParam('state'),
    genre: useQueryParam('genre'),
    year: useQueryParam('year'),
  };
  const filter = parseFilter((name) => given[name as keyof typeof given]);
  return [filter, (change) => navigate(libraryPath({ ...filter, ...change }))];
}

import { queryOptions } from '@tanstack/react-query';
import type { Neighbour } from '#contract/tracks.ts';
import { trackPath } from './track-queries.ts';

/** The years and genres there are. */
export const facetsQuery = queryOptions<{ years: number[]; genres: string[] }>({
  queryKey: ['/api/tracks/facets'],
});

export type Neighbours = { previous: Neighbour | null; next: Neighbour | null };

/** The mixes before and after one. */
export const neighboursQuery = (id: string) =>
  queryOptions<Neighbours>({ queryKey: [`${trackPath(id)}/neighbours`] });

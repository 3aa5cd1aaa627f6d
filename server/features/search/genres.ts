import { isHit, readWords } from '#contract/rules/search-words.ts';
import { joinWhole, toToken } from './document.ts';
import type { SearchContext } from './find-tracks.ts';
import { BEFORE_ALL } from './rowid-order.ts';
import { listGenres } from './queries.ts';
import { listTerms, type SearchQuery } from './query-plan.ts';

/** A catalogue has dozens of genres; this many are checked, most common first. */
const MAX_READ = 100;
const POPULAR = 6;

const wordsOf = (genre: string) => readWords(genre).map(({ word }) => word);

/** Hides a genre whose only tracks this viewer may not see. */
async function hasVisibleTrack({ db, index, visibility }: SearchContext, genre: string) {
  const token = toToken('wholeGenre', joinWhole(wordsOf(genre)));
  const match = { kind: 'phrase' as const, tokens: [token], isPrefix: false };
  const page = { visibility, after: BEFORE_ALL, limit: 1 };
  return (await index.findMatches(db, { match, except: [] }, page)).length > 0;
}

async function listVisible(context: SearchContext, genres: readonly string[], limit: number) {
  const visible: string[] = [];
  for (const genre of genres) {
    if (visible.length >= limit) break;
    if (wordsOf(genre).length > 0 && (await hasVisibleTrack(context, genre))) visible.push(genre);
  }
  return visible;
}

export const listPopularGenres = async (context: SearchContext): Promise<string[]> =>
  listVisible(context, await listGenres(context.db, 2 * POPULAR), POPULAR);

/** Genres that contain every word of the query. */
export async function findGenres(
  context: SearchContext,
  query: SearchQuery,
  limit: number,
): Promise<string[]> {
  const terms = listTerms(query);
  if (terms.length === 0) return [];
  const genres = (await listGenres(context.db, MAX_READ)).filter((genre) => {
    const words = wordsOf(genre);
    return terms.every((term) => words.some((word) => isHit(term, word)));
  });
  return listVisible(context, genres, limit);
}

import { readWords } from '#contract/rules/search-words.ts';
import { joinWhole, toToken } from './document.ts';
import type { Reader } from './find-tracks.ts';
import { BEFORE_ALL } from './rowid-order.ts';
import { listGenres } from './queries.ts';
import { listTerms, type SearchQuery } from './query-plan.ts';
import { isHit } from '#contract/rules/search-words.ts';

/** A catalogue has dozens; this many are looked at, the most common first. */
const MAX_READ = 100;
const POPULAR = 6;

const wordsOf = (genre: string) => readWords(genre).map(({ word }) => word);

/** A genre that only mixes to come have is not told to those who cannot see them. */
async function hasVisibleTrack({ db, index, visibility }: Reader, genre: string) {
  const token = toToken('wholeGenre', joinWhole(wordsOf(genre)));
  const match = { kind: 'phrase' as const, tokens: [token], isPrefix: false };
  const page = { visibility, after: BEFORE_ALL, limit: 1 };
  return (await index.findMatches(db, { match, except: [] }, page)).length > 0;
}

async function keepVisible(reader: Reader, genres: readonly string[], limit: number) {
  const visible: string[] = [];
  for (const genre of genres) {
    if (visible.length >= limit) break;
    if (wordsOf(genre).length > 0 && (await hasVisibleTrack(reader, genre))) visible.push(genre);
  }
  return visible;
}

export const listPopularGenres = async (reader: Reader): Promise<string[]> =>
  keepVisible(reader, await listGenres(reader.db, 2 * POPULAR), POPULAR);

/** Genres that every word of the query is part of. */
export async function findGenres(
  reader: Reader,
  query: SearchQuery,
  limit: number,
): Promise<string[]> {
  const terms = listTerms(query);
  if (terms.length === 0) return [];
  const genres = (await listGenres(reader.db, MAX_READ)).filter((genre) => {
    const words = wordsOf(genre);
    return terms.every((term) => words.some((word) => isHit(term, word)));
  });
  return keepVisible(reader, genres, limit);
}

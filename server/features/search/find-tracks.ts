import type { Db } from '../../db/connect.ts';
import type { Visibility } from '../tracks/service.ts';
import { listCorrections } from './corrections.ts';
import { BEFORE_ALL } from './rowid-order.ts';
import { planTiers, type SearchQuery } from './query-plan.ts';
import type { MatchedTrack, SearchIndex } from './search-index.ts';
import { findWordsFrom } from './vocabulary.ts';

/** From here on the index of beginnings is not read: the vocabulary says how a word goes on. */
const LONG_BEGINNING = 4;
const MAX_READ = 64;
const MAX_COMPLETIONS = 24;

/** Where a search goes on: in which tier, after which place. */
export type Position = { tier: number; after: number };
export type Match = MatchedTrack & { tier: number };

export type Reader = { db: Db; index: SearchIndex; visibility: Visibility };

/** How the last word goes on, the most common first; null for a short one. */
async function completeWord(db: Db, word: string): Promise<string[] | null> {
  if ([...word].length < LONG_BEGINNING) return null;
  const words = await findWordsFrom(db, word, MAX_READ);
  return words
    .toSorted((a, b) => Number(b.word === word) - Number(a.word === word) || b.docs - a.docs)
    .slice(0, MAX_COMPLETIONS)
    .map((found) => found.word);
}

/**
 * The best matches from a position on: tier by tier, and no further than the page needs. A tier is
 * read to its end before the next one, so on a first page what it repeats is known; a page that goes
 * on leaves it to the index.
 */
export async function findMatches(
  { db, index, visibility }: Reader,
  query: SearchQuery,
  { from, limit }: { from: Position | null; limit: number },
): Promise<Match[]> {
  const tiers = planTiers(query, await completeWord(db, query.words.at(-1) ?? ''));
  const found = new Map<number, Match>();
  for (const [i, tier] of tiers.entries()) {
    if (from && i < from.tier) continue;
    const after = from?.tier === i ? from.after : BEFORE_ALL;
    const except = from ? tier.except : [];
    const rows = await index.findMatches(db, { ...tier, except }, { visibility, after, limit });
    for (const row of rows) if (!found.has(row.place)) found.set(row.place, { ...row, tier: i });
    if (found.size >= limit) break;
  }
  return [...found.values()].slice(0, limit);
}

/** What was found, and for which query: the typed one is attempt 0, its corrections follow. */
export type Found = { matches: Match[]; query: SearchQuery; attempt: number };

/** A correction counts only when it finds something this viewer may see. */
export async function findWithCorrections(
  reader: Reader,
  typed: SearchQuery,
  limit: number,
): Promise<Found> {
  const matches = await findMatches(reader, typed, { from: null, limit });
  if (matches.length > 0 || typed.words.length === 0) return { matches, query: typed, attempt: 0 };
  for (const [i, query] of (await listCorrections(reader.db, typed)).entries()) {
    const corrected = await findMatches(reader, query, { from: null, limit });
    if (corrected.length > 0) return { matches: corrected, query, attempt: i + 1 };
  }
  return { matches: [], query: typed, attempt: 0 };
}

import type { Db } from '../../db/connect.ts';
import type { Catalogue, Visibility } from '../tracks/service.ts';
import { listCorrections } from './corrections.ts';
import { BEFORE_ALL } from './rowid-order.ts';
import { planTiers, type SearchQuery } from './query-plan.ts';
import type { MatchedTrack, SearchIndex } from './search-index.ts';
import { findWordsFrom } from './vocabulary.ts';

/** Longer beginnings are completed from the vocabulary instead of the index. */
const LONG_BEGINNING = 4;
const MAX_READ = 64;
const MAX_COMPLETIONS = 24;

/** Where the next page starts: in this tier, after this row. */
export type PageStart = { tier: number; after: number };
export type Match = MatchedTrack & { tier: number };

export type SearchContext = {
  db: Db;
  catalogue: Catalogue;
  index: SearchIndex;
  visibility: Visibility;
};

/** Words that start with the last one, most common first; null for a short one. */
async function completeWord(db: Db, word: string): Promise<string[] | null> {
  if ([...word].length < LONG_BEGINNING) return null;
  const words = await findWordsFrom(db, word, MAX_READ);
  return words
    .toSorted((a, b) => Number(b.word === word) - Number(a.word === word) || b.docs - a.docs)
    .slice(0, MAX_COMPLETIONS)
    .map((found) => found.word);
}

/**
 * The best matches, tier by tier, and no further than the page needs. The first page finds
 * repetitions among its own rows; a later page leaves them to the index.
 */
export async function findMatches(
  { db, index, visibility }: SearchContext,
  query: SearchQuery,
  { from, limit }: { from: PageStart | null; limit: number },
): Promise<Match[]> {
  const tiers = planTiers(query, await completeWord(db, query.words.at(-1) ?? ''));
  const found = new Map<number, Match>();
  for (const [i, tier] of tiers.entries()) {
    if (from && i < from.tier) continue;
    const after = from?.tier === i ? from.after : BEFORE_ALL;
    const except = from ? tier.except : [];
    const rows = await index.findMatches(db, { ...tier, except }, { visibility, after, limit });
    for (const row of rows)
      if (!found.has(row.row_order)) found.set(row.row_order, { ...row, tier: i });
    if (found.size >= limit) break;
  }
  return [...found.values()].slice(0, limit);
}

/** The matches and their query: attempt 0 is what was typed, then come the corrections. */
export type Found = { matches: Match[]; query: SearchQuery; attempt: number };

/** Uses a correction only if it finds something that this viewer may see. */
export async function findWithCorrections(
  context: SearchContext,
  typed: SearchQuery,
  limit: number,
): Promise<Found> {
  const matches = await findMatches(context, typed, { from: null, limit });
  if (matches.length > 0 || typed.words.length === 0) return { matches, query: typed, attempt: 0 };
  for (const [i, query] of (await listCorrections(context.db, typed)).entries()) {
    const corrected = await findMatches(context, query, { from: null, limit });
    if (corrected.length > 0) return { matches: corrected, query, attempt: i + 1 };
  }
  return { matches: [], query: typed, attempt: 0 };
}

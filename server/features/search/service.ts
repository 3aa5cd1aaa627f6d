import { z } from 'zod';
import { dayOf } from '#contract/rules/days.ts';
import { DEFAULT_PAGE_SIZE } from '#contract/paging.ts';
import type { SearchPage, SearchResult } from '#contract/search.ts';
import type { Deps } from '../../deps.ts';
import { decodeCursor, invalidCursor, slicePage } from '../../http/paginate.ts';
import type { Viewer } from '../../http/guards.ts';
import { readTracksById, visibilityFor } from '../tracks/service.ts';
import { findChapterHit } from './chapter-hit.ts';
import { listCorrections, MAX_ATTEMPTS } from './corrections.ts';
import { parseChapters } from './document.ts';
import { findMatches, findWithCorrections, type Found, type Reader } from './find-tracks.ts';
import { listPopularGenres } from './genres.ts';
import { recordMiss } from './queries.ts';
import { listTerms, parseQuery, type SearchQuery } from './query-plan.ts';
import { searchIndexFor } from './search-index.ts';
import { isCorrectable } from './typos.ts';
import { findWords } from './vocabulary.ts';

export { indexTrack, unindexTrack } from './index-track.ts';

const MAX_TIERS = 10;
/** Fewer results than this, and what was typed may have been a slip that happens to be a word. */
const FEW_RESULTS = 3;
const MAX_MISS_LENGTH = 60;
const MISSES_PER_DAY = 500;

const Position = z.tuple([
  z.int().min(0).max(MAX_ATTEMPTS),
  z.int().min(0).max(MAX_TIERS),
  z.int(),
]);

export const openReader = ({ database, clock }: Deps, viewer: Viewer | null): Reader => ({
  db: database.db,
  index: searchIndexFor(database.dialect),
  visibility: visibilityFor(viewer, clock.now()),
});

/** Those of the matches that are still there, each with the chapter that was meant. */
export async function presentMatches(
  deps: Deps,
  viewer: Viewer | null,
  { matches, query }: Pick<Found, 'matches' | 'query'>,
): Promise<SearchResult[]> {
  const terms = listTerms(query);
  const chapters = new Map(matches.map((match) => [match.track_id, match.chapters]));
  const tracks = await readTracksById(deps, viewer, [...chapters.keys()]);
  return tracks.map((track) => ({
    ...track,
    chapter: findChapterHit(terms, {
      title: track.title,
      genre: track.genre,
      chapters: parseChapters(chapters.get(track.id) ?? '[]'),
    }),
  }));
}

/** The list goes on with the same attempt at understanding the query. */
async function continueSearch(reader: Reader, typed: SearchQuery, cursor: string, limit: number) {
  const [attempt, tier, after] = decodeCursor(Position, cursor);
  const query = attempt === 0 ? typed : (await listCorrections(reader.db, typed))[attempt - 1];
  if (!query) throw invalidCursor();
  const matches = await findMatches(reader, query, { from: { tier, after }, limit });
  return { matches, query, attempt };
}

/** A word of the query that so few tracks have that it may be a slip. */
async function hasRareWord({ db }: Reader, { words }: SearchQuery): Promise<boolean> {
  const known = await findWords(db, words);
  return known.some(({ word, docs }) => isCorrectable(word) && docs < FEW_RESULTS);
}

/** When little was found: a likelier spelling that finds more. */
async function suggestQuery(reader: Reader, found: Found): Promise<string | null> {
  const { matches, query, attempt } = found;
  const hasFew = matches.length > 0 && matches.length < FEW_RESULTS;
  if (attempt > 0 || query.week || !hasFew || !(await hasRareWord(reader, query))) return null;
  for (const other of await listCorrections(reader.db, query)) {
    const better = await findMatches(reader, other, { from: null, limit: 2 * FEW_RESULTS });
    if (better.length >= 2 * FEW_RESULTS) return other.words.join(' ');
  }
  return null;
}

type SearchInput = { q: string; cursor?: string | undefined; limit?: number | undefined };

export async function searchTracks(
  deps: Deps,
  viewer: Viewer | null,
  { q, cursor, limit = DEFAULT_PAGE_SIZE }: SearchInput,
): Promise<SearchPage> {
  const reader = openReader(deps, viewer);
  const typed = parseQuery(q);
  const found = cursor
    ? await continueSearch(reader, typed, cursor, limit + 1)
    : await findWithCorrections(reader, typed, limit + 1);
  const { query, attempt } = found;
  const { rows: matches, nextCursor } = slicePage(found.matches, limit, (last) => [
    attempt,
    last.tier,
    last.place,
  ]);
  const isEmpty = !cursor && matches.length === 0;
  if (isEmpty) await recordEmptySearch(deps, viewer, typed);
  return {
    items: await presentMatches(deps, viewer, { matches, query }),
    nextCursor,
    terms: listTerms(query),
    correctedQuery: attempt > 0 ? query.words.join(' ') : null,
    suggestedQuery: cursor ? null : await suggestQuery(reader, found),
    popularGenres: isEmpty ? await listPopularGenres(reader) : [],
  };
}

/** For the report of what is missing: the words of members, without who they are. */
async function recordEmptySearch(
  { database, clock, config }: Deps,
  viewer: Viewer | null,
  { words }: SearchQuery,
): Promise<void> {
  const query = words.join(' ').slice(0, MAX_MISS_LENGTH).trim();
  if (!viewer || !query) return;
  const day = dayOf(clock.now(), config.timeZone);
  await recordMiss(database.db, { day, query, mostPerDay: MISSES_PER_DAY });
}

import { z } from 'zod';
import type { ArtistName } from '#contract/artists/artists.ts';
import { dayOf } from '#contract/rules/days.ts';
import { isHit, readWords, type SearchTerm } from '#contract/rules/search-words.ts';
import type { Chapter } from '#contract/tracks.ts';
import { DEFAULT_PAGE_SIZE } from '#contract/paging.ts';
import type { SearchPage, SearchResult } from '#contract/search.ts';
import { writeInBackground } from '../../background/background-writes.ts';
import type { Deps } from '../../deps.ts';
import { decodeCursor, invalidCursor, slicePage } from '../../http/route/paginate.ts';
import type { Viewer } from '../../http/route/guards.ts';
import { openCatalogue } from '../tracks/service.ts';
import { listCorrections, MAX_ATTEMPTS } from './corrections.ts';
import { findMatches, findWithCorrections, type Found, type SearchContext } from './find-tracks.ts';
import { findArtists } from './artists.ts';
import { listPopularGenres } from './genres.ts';
import { recordMiss } from './queries.ts';
import { listTerms, parseQuery, type SearchQuery } from './query-plan.ts';
import { searchIndexFor } from './search-index.ts';
import { isCorrectable } from './typos.ts';
import { findWords } from './vocabulary.ts';

export { indexTrack, unindexTrack } from './index-track.ts';

const MAX_TIERS = 10;
/** With fewer results than this, a typo may have happened to be a word. */
const FEW_RESULTS = 3;
const MAX_MISS_LENGTH = 60;
const MISSES_PER_DAY = 500;

const Cursor = z.tuple([z.int().min(0).max(MAX_ATTEMPTS), z.int().min(0).max(MAX_TIERS), z.int()]);

export async function createContext(deps: Deps, viewer: Viewer | null): Promise<SearchContext> {
  const { db, dialect } = deps.database;
  const catalogue = await openCatalogue(deps, viewer?.user ?? null, viewer?.facts);
  const visibility = await catalogue.settleVisibility();
  return { db, catalogue, index: searchIndexFor(dialect), visibility };
}

const listHits = (terms: readonly SearchTerm[], text: string): SearchTerm[] => {
  const words = readWords(text);
  return terms.filter((term) => words.some(({ word }) => isHit(term, word)));
};

type Searched = {
  title: string;
  artists: readonly ArtistName[];
  genre: string | null;
  series: string | null;
  chapters: readonly Chapter[];
};

/** The chapter with the most search terms, if it has one that title, artists and genre don't have. */
function findChapterHit(terms: readonly SearchTerm[], track: Searched): Chapter | null {
  const names = track.artists.map(({ name }) => name);
  const outside = listHits(
    terms,
    [track.title, ...names, track.series ?? '', track.genre ?? ''].join(' '),
  );
  const missing = terms.filter((term) => !outside.includes(term));
  if (missing.length === 0) return null;
  let best: Chapter | null = null;
  let most = 0;
  for (const chapter of track.chapters) {
    const text = `${chapter.artist ?? ''} ${chapter.title}`;
    if (listHits(missing, text).length === 0) continue;
    const hits = listHits(terms, text).length;
    if (hits > most) [best, most] = [chapter, hits];
  }
  return best;
}

/** A track that matches, and its chapter that does. */
export type Hit = { trackId: string; chapter: Chapter | null };

export async function findChapters(
  { catalogue }: SearchContext,
  { matches, query }: Pick<Found, 'matches' | 'query'>,
): Promise<Hit[]> {
  const terms = listTerms(query);
  const ids = matches.map((match) => match.track_id);
  const tracks = await catalogue.readAny(ids);
  return tracks.map((track) => ({
    trackId: track.row.id,
    chapter: findChapterHit(terms, {
      ...track.row,
      artists: track.artists,
      chapters: track.detail.chapters,
    }),
  }));
}

/** The tracks that still exist, as this viewer gets them. */
export async function presentHits(
  { catalogue }: SearchContext,
  hits: readonly Hit[],
): Promise<SearchResult[]> {
  const chapters = new Map(hits.map(({ trackId, chapter }) => [trackId, chapter]));
  const tracks = await catalogue.present(await catalogue.readAny([...chapters.keys()]));
  return tracks.map((track) => ({ ...track, chapter: chapters.get(track.id) ?? null }));
}

/** The next page uses the same correction of the query as the first. */
async function continueSearch(
  context: SearchContext,
  typed: SearchQuery,
  cursor: string,
  limit: number,
) {
  const [attempt, tier, after] = decodeCursor(Cursor, cursor);
  const query = attempt === 0 ? typed : (await listCorrections(context.db, typed))[attempt - 1];
  if (!query) throw invalidCursor();
  const matches = await findMatches(context, query, { from: { tier, after }, limit });
  return { matches, query, attempt };
}

/** True when the query has a word so rare that it may be a typo. */
async function hasRareWord({ db }: SearchContext, { words }: SearchQuery): Promise<boolean> {
  const known = await findWords(db, words);
  return known.some(({ word, docs }) => isCorrectable(word) && docs < FEW_RESULTS);
}

/** For a search with few results: a similar spelling that finds more. */
async function suggestQuery(context: SearchContext, found: Found): Promise<string | null> {
  const { matches, query, attempt } = found;
  const hasFew = matches.length > 0 && matches.length < FEW_RESULTS;
  if (attempt > 0 || query.week || !hasFew || !(await hasRareWord(context, query))) return null;
  for (const other of await listCorrections(context.db, query)) {
    const better = await findMatches(context, other, { from: null, limit: 2 * FEW_RESULTS });
    if (better.length >= 2 * FEW_RESULTS) return other.words.join(' ');
  }
  return null;
}

type SearchInput = { q: string; cursor?: string | undefined; limit?: number | undefined };

/** What everyone with the same visibility finds. */
async function findPage(
  context: SearchContext,
  { q, cursor, limit = DEFAULT_PAGE_SIZE }: SearchInput,
) {
  const typed = parseQuery(q);
  const found = cursor
    ? await continueSearch(context, typed, cursor, limit + 1)
    : await findWithCorrections(context, typed, limit + 1);
  const { query, attempt } = found;
  const { rows: matches, nextCursor } = slicePage(found.matches, limit, (last) => [
    attempt,
    last.tier,
    last.row_order,
  ]);
  const isEmpty = !cursor && matches.length === 0;
  return {
    hits: await findChapters(context, { matches, query }),
    artists: cursor ? [] : await findArtists(context, query),
    missed: isEmpty ? typed : null,
    nextCursor,
    terms: listTerms(query),
    correctedQuery: attempt > 0 ? query.words.join(' ') : null,
    suggestedQuery: cursor ? null : await suggestQuery(context, found),
    popularGenres: isEmpty ? await listPopularGenres(context) : [],
  };
}

export async function searchTracks(
  deps: Deps,
  viewer: Viewer | null,
  input: SearchInput,
): Promise<SearchPage> {
  const context = await createContext(deps, viewer);
  const key = `search:${JSON.stringify([context.visibility, input])}`;
  const { hits, missed, artists, ...page } = await context.catalogue.facts.read(key, () =>
    findPage(context, input),
  );
  if (missed) recordEmptySearch(deps, viewer, missed);
  return {
    ...page,
    ...(artists.length > 0 && { artists }),
    items: await presentHits(context, hits),
  };
}

/** For the report of searches without results; it doesn't record who searched. */
function recordEmptySearch(
  { database, clock, config, log }: Deps,
  viewer: Viewer | null,
  { words }: SearchQuery,
): void {
  const query = words.join(' ').slice(0, MAX_MISS_LENGTH).trim();
  if (!viewer || !query) return;
  const day = dayOf(clock.now(), config.timeZone);
  writeInBackground(log, 'count a search without results', () =>
    recordMiss(database.db, { day, query, maxPerDay: MISSES_PER_DAY }),
  );
}

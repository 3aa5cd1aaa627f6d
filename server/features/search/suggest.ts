import type { Suggestions } from '#contract/search.ts';
import type { Deps } from '../../deps.ts';
import type { Viewer } from '../../http/route/guards.ts';
import { findArtists } from './artists.ts';
import { toToken, weekToken, yearToken } from './document.ts';
import { findWithCorrections, type SearchContext } from './find-tracks.ts';
import { findGenres } from './genres.ts';
import { BEFORE_ALL, lastRowOrder, toWeekOfRow } from './rowid-order.ts';
import { isWeekMarker, listTerms, parseQuery, type Match, type SearchQuery } from './query-plan.ts';
import { createContext, findChapters, presentHits } from './service.ts';

const MAX_TRACKS = 5;
const MAX_WEEKS = 3;
const MAX_GENRES = 3;

const token = (text: string): Match => ({ kind: 'phrase', tokens: [text], isPrefix: false });

/** The week of the query, or any week when only “week” is typed so far. */
function matchWeeks({ words, week }: SearchQuery): Match | null {
  if (words.length === 1 && isWeekMarker(words[0] ?? '')) return token(toToken('anything', 'week'));
  if (!week || week.rest.length > 0) return null;
  const year = week.year === null ? [] : [token(yearToken(week.year))];
  return { kind: 'all', of: [token(weekToken(week.week)), ...year] };
}

/** Weeks with a track that this viewer may see, newest first, one query for each. */
async function findWeeks({ db, index, visibility }: SearchContext, query: SearchQuery) {
  const match = matchWeeks(query);
  const weeks: { year: number; week: number }[] = [];
  let after = BEFORE_ALL;
  while (match && weeks.length < MAX_WEEKS) {
    const page = { visibility, after, limit: 1 };
    const [newest] = await index.findMatches(db, { match, except: [] }, page);
    if (!newest) break;
    const week = toWeekOfRow(newest.row_order);
    weeks.push(week);
    after = lastRowOrder(week);
  }
  return weeks;
}

/** What everyone with the same visibility gets. */
async function findSuggestions(context: SearchContext, q: string) {
  const found = await findWithCorrections(context, parseQuery(q), MAX_TRACKS);
  const { query, attempt } = found;
  return {
    hits: await findChapters(context, found),
    weeks: await findWeeks(context, query),
    genres: await findGenres(context, query, MAX_GENRES),
    artists: await findArtists(context, query),
    terms: listTerms(query),
    correctedQuery: attempt > 0 ? query.words.join(' ') : null,
  };
}

export async function suggest(
  deps: Deps,
  viewer: Viewer | null,
  { q }: { q: string },
): Promise<Suggestions> {
  const context = await createContext(deps, viewer);
  const key = `suggest:${JSON.stringify([context.visibility, q])}`;
  const { hits, artists, ...rest } = await context.catalogue.facts.read(key, () =>
    findSuggestions(context, q),
  );
  const results = await presentHits(context, hits);
  return {
    ...rest,
    ...(artists.length > 0 && { artists }),
    tracks: results.map(
      ({ id, title, artists: named, year, weekNumber, genre, bpm, series, coverUrl, chapter }) => ({
        id,
        title,
        ...(named && { artists: named }),
        year,
        weekNumber,
        genre,
        bpm,
        ...(series && { series }),
        coverUrl,
        chapter,
      }),
    ),
  };
}

import type { Suggestions } from '#contract/search.ts';
import type { Deps } from '../../deps.ts';
import type { Viewer } from '../../http/guards.ts';
import { toToken, weekToken, yearToken } from './document.ts';
import { findWithCorrections, type Reader } from './find-tracks.ts';
import { findGenres } from './genres.ts';
import { BEFORE_ALL, lastPlaceOf, weekAt } from './rowid-order.ts';
import { listTerms, parseQuery, type Match, type SearchQuery } from './query-plan.ts';
import { openReader, presentMatches } from './service.ts';
import { isWeekMarker } from './week-query.ts';

const MAX_TRACKS = 5;
const MAX_WEEKS = 3;
const MAX_GENRES = 3;

const token = (text: string): Match => ({ kind: 'phrase', tokens: [text], isPrefix: false });

/** The week that is meant, or any when only the word was typed so far. */
function matchWeeks({ words, week }: SearchQuery): Match | null {
  if (words.length === 1 && isWeekMarker(words[0] ?? '')) return token(toToken('anything', 'week'));
  if (!week || week.rest.length > 0) return null;
  const year = week.year === null ? [] : [token(yearToken(week.year))];
  return { kind: 'all', of: [token(weekToken(week.week)), ...year] };
}

/** Weeks with something this viewer may see, the newest first: one look for each. */
async function findWeeks({ db, index, visibility }: Reader, query: SearchQuery) {
  const match = matchWeeks(query);
  const weeks: { year: number; week: number }[] = [];
  let after = BEFORE_ALL;
  while (match && weeks.length < MAX_WEEKS) {
    const page = { visibility, after, limit: 1 };
    const [newest] = await index.findMatches(db, { match, except: [] }, page);
    if (!newest) break;
    const week = weekAt(newest.place);
    weeks.push(week);
    after = lastPlaceOf(week);
  }
  return weeks;
}

export async function suggest(
  deps: Deps,
  viewer: Viewer | null,
  { q }: { q: string },
): Promise<Suggestions> {
  const reader = openReader(deps, viewer);
  const found = await findWithCorrections(reader, parseQuery(q), MAX_TRACKS);
  const { query, attempt } = found;
  const results = await presentMatches(deps, viewer, found);
  return {
    tracks: results.map(({ id, title, year, weekNumber, genre, coverUrl, chapter }) => ({
      id,
      title,
      year,
      weekNumber,
      genre,
      coverUrl,
      chapter,
    })),
    weeks: await findWeeks(reader, query),
    genres: await findGenres(reader, query, MAX_GENRES),
    terms: listTerms(query),
    correctedQuery: attempt > 0 ? query.words.join(' ') : null,
  };
}

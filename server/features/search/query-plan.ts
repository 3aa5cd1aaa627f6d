import { readWords } from '#contract/rules/search-words.ts';
import type { SearchTerm } from '#contract/rules/search-words.ts';
import { joinWhole, toToken, weekToken, yearToken, type Field } from './document.ts';
import { countTypos } from './typos.ts';

/** The week a query asks for, and the indexes of its other words. */
type WeekQuery = { week: number; year: number | null; rest: number[] };

const LAST_WEEK = 53;
const MARKERS = new Set(['w', 'wk', 'week', 'weeks']);

const toWeek = (digits: string | undefined): number | null => {
  if (!digits || !/^\d{1,2}$/.test(digits)) return null;
  const week = Number(digits);
  return week >= 1 && week <= LAST_WEEK ? week : null;
};
const isYear = (word: string) => /^(?:19|20)\d\d$/.test(word);

export const isWeekMarker = (word: string): boolean =>
  MARKERS.has(word) || (word.length >= 3 && word.startsWith('w') && countTypos(word, 'week') <= 1);

/** `week 12`, `w12`, `2026-W12`, or only the number; `used` are the indexes of these words. */
function findWeek(words: readonly string[]): { week: number; used: number[] } | null {
  for (const [i, word] of words.entries()) {
    const joined = toWeek(/^(?:w|wk|week)(\d{1,2})$/.exec(word)?.[1]);
    if (joined !== null) return { week: joined, used: [i] };
    const next = isWeekMarker(word) ? toWeek(words[i + 1]) : null;
    if (next !== null) return { week: next, used: [i, i + 1] };
  }
  for (const [i, word] of words.entries()) {
    const week = toWeek(word);
    if (week !== null) return { week, used: [i] };
  }
  return null;
}

function parseWeekQuery(words: readonly string[]): WeekQuery | null {
  const found = findWeek(words);
  if (!found) return null;
  const indexes = words.map((_, i) => i);
  const yearAt = indexes.find((i) => isYear(words[i] ?? ''));
  return {
    week: found.week,
    year: yearAt === undefined ? null : Number(words[yearAt]),
    rest: indexes.filter((i) => i !== yearAt && !found.used.includes(i)),
  };
}

/** What a document must contain; each adapter translates it to its own syntax. */
export type Match =
  | { kind: 'phrase'; tokens: string[]; isPrefix: boolean }
  | { kind: 'all'; of: Match[] }
  | { kind: 'any'; of: Match[] };

/** Earlier tiers are better matches; within a tier the newest week comes first. */
export type Tier = { match: Match; except: Match[] };

export type SearchQuery = { words: string[]; week: WeekQuery | null };

const MAX_WORDS = 12;

/** Required only when a query has no other words. */
const FILLERS = new Set(
  'a an and at by de die en for from in is it la le mix mixes n of on or set the to track tracks with'.split(
    ' ',
  ),
);

export const toQuery = (words: readonly string[]): SearchQuery => ({
  words: [...words],
  week: parseWeekQuery(words),
});

export const parseQuery = (text: string): SearchQuery =>
  toQuery(
    readWords(text)
      .slice(0, MAX_WORDS)
      .map(({ word }) => word),
  );

/** Indexes of the words that a document must contain. */
function listRequired(words: readonly string[], among = words.map((_, i) => i)): number[] {
  const meaningful = among.filter((i) => !FILLERS.has(words[i] ?? ''));
  return meaningful.length > 0 ? meaningful : among;
}

/** The words to highlight in the results. */
export function listTerms({ words }: SearchQuery): SearchTerm[] {
  const last = words.length - 1;
  return listRequired(words).map((i) => ({ word: words[i] ?? '', isPrefix: i === last }));
}

const phrase = (field: Field, words: readonly string[], isPrefix = false): Match => ({
  kind: 'phrase',
  tokens: words.map((word) => toToken(field, word)),
  isPrefix,
});
const all = (of: Match[]): Match => (of.length === 1 && of[0] ? of[0] : { kind: 'all', of });

/**
 * From the exact week over title, genre and tracklist down to any field. `completions` are the
 * words that start with the last one; null leaves that to the index.
 */
export function planTiers(query: SearchQuery, completions: readonly string[] | null): Tier[] {
  const { words, week } = query;
  const last = words.length - 1;
  if (last < 0) return [];
  const endings = (field: Field, before: readonly string[], word: string): Match =>
    completions
      ? { kind: 'any', of: completions.map((whole) => phrase(field, [...before, whole])) }
      : phrase(field, [...before, word], true);
  const one = (field: Field, i: number): Match =>
    i === last ? endings(field, [], words[i] ?? '') : phrase(field, [words[i] ?? '']);
  const inOrder = (field: Field) => endings(field, words.slice(0, -1), words[last] ?? '');
  const required = listRequired(words);
  const everyWord = (field: Field) => all(required.map((i) => one(field, i)));
  const ofWeek = (wanted: WeekQuery): Match => {
    const year = wanted.year === null ? [] : [yearToken(wanted.year)];
    const rest = wanted.rest.length > 0 ? listRequired(words, wanted.rest) : [];
    const tokens = [weekToken(wanted.week), ...year];
    return all([
      ...tokens.map((token): Match => ({ kind: 'phrase', tokens: [token], isPrefix: false })),
      ...rest.map((i) => one('anything', i)),
    ]);
  };
  const matches = [
    ...(week ? [ofWeek(week)] : []),
    phrase('wholeTitle', [joinWhole(words)]),
    phrase('title', words),
    inOrder('title'),
    ...(required.length > 1 ? [everyWord('title')] : []),
    everyWord('genre'),
    inOrder('chapter'),
    everyWord('anything'),
  ];
  return matches
    .filter((match) => !canNeverMatch(match))
    .map((match, i, possible) => ({ match, except: possible.slice(0, i) }));
}

/** True when nothing can match, because no document has the word. */
function canNeverMatch(match: Match): boolean {
  if (match.kind === 'phrase') return false;
  if (match.kind === 'any') return match.of.length === 0;
  return match.of.some(canNeverMatch);
}

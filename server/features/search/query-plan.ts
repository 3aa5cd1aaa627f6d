import { readWords } from '#contract/rules/search-words.ts';
import type { SearchTerm } from '#contract/rules/search-words.ts';
import { joinWhole, toToken, weekToken, yearToken, type Field } from './document.ts';
import { parseWeekQuery, type WeekQuery } from './week-query.ts';

/** What a document must hold, in the words of the index; each adapter says it in its own syntax. */
export type Match =
  | { kind: 'phrase'; tokens: string[]; isPrefix: boolean }
  | { kind: 'all'; of: Match[] }
  | { kind: 'any'; of: Match[] };

/** Better matches come in an earlier tier; within one the newest week is first. */
export type Tier = { match: Match; except: Match[] };

export type SearchQuery = { words: string[]; week: WeekQuery | null };

const MAX_WORDS = 12;

/** These help a phrase along, but nobody means them: they are needed only when nothing else is there. */
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

/** The words a document must have; the last may go on. */
function requiredPlaces(words: readonly string[], among = words.map((_, i) => i)): number[] {
  const meant = among.filter((i) => !FILLERS.has(words[i] ?? ''));
  return meant.length > 0 ? meant : among;
}

/** What to mark in the results. */
export function listTerms({ words }: SearchQuery): SearchTerm[] {
  const last = words.length - 1;
  return requiredPlaces(words).map((i) => ({ word: words[i] ?? '', isPrefix: i === last }));
}

const phrase = (field: Field, words: readonly string[], isPrefix = false): Match => ({
  kind: 'phrase',
  tokens: words.map((word) => toToken(field, word)),
  isPrefix,
});
const all = (of: Match[]): Match => (of.length === 1 && of[0] ? of[0] : { kind: 'all', of });

/**
 * From the exact week over the title, the genre and the tracklist down to anything.
 * `completions` are the words that go on from the last one; null leaves that to the index.
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
  const required = requiredPlaces(words);
  const everyWord = (field: Field) => all(required.map((i) => one(field, i)));
  const ofWeek = (asked: WeekQuery): Match => {
    const year = asked.year === null ? [] : [yearToken(asked.year)];
    const rest = asked.rest.length > 0 ? requiredPlaces(words, asked.rest) : [];
    const tokens = [weekToken(asked.week), ...year];
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
    .filter((match) => !isHopeless(match))
    .map((match, i, hopeful) => ({ match, except: hopeful.slice(0, i) }));
}

/** A word that no document has: nothing can match. */
function isHopeless(match: Match): boolean {
  if (match.kind === 'phrase') return false;
  if (match.kind === 'any') return match.of.length === 0;
  return match.of.some(isHopeless);
}

import type { Db } from '../../db/connect.ts';
import { toQuery, type SearchQuery } from './query-plan.ts';
import { rankCandidates, type TypedWord } from './rank-candidates.ts';
import { countTypos, isCorrectable, listLookupKeys } from './typos.ts';
import { findStems, findWords, findWordsFrom } from './vocabulary.ts';

/** How far is looked: a query that reads so much and no more, however large the vocabulary is. */
const MAX_STEMS = 300;
const NEAREST_STEMS = 10;
const WORDS_PER_STEM = 12;
const OPTIONS_PER_WORD = 3;
export const MAX_ATTEMPTS = 4;

/** Words of the catalogue that this one may have been meant as, the likeliest first. */
async function findCandidates(db: Db, typed: TypedWord): Promise<string[]> {
  if (!isCorrectable(typed.word)) return [];
  const stems = await findStems(db, listLookupKeys(typed.word), MAX_STEMS);
  const nearest = stems
    .map((stem) => ({ stem, typos: countTypos(typed.word.slice(0, stem.length), stem) }))
    .toSorted((a, b) => a.typos - b.typos || b.stem.length - a.stem.length)
    .slice(0, NEAREST_STEMS);
  const words = [];
  for (const { stem } of nearest) words.push(...(await findWordsFrom(db, stem, WORDS_PER_STEM)));
  return rankCandidates(typed, words).slice(0, OPTIONS_PER_WORD);
}

/** `goldenhour` as two words that the catalogue has. */
async function findSplit(db: Db, word: string): Promise<string[] | null> {
  const letters = [...word];
  const splits = letters
    .slice(2, -1)
    .map((_, i) => [letters.slice(0, i + 2).join(''), letters.slice(i + 2).join('')] as const);
  const known = new Set((await findWords(db, splits.flat())).map((found) => found.word));
  const split = splits.find(([left, right]) => known.has(left) && known.has(right));
  return split ? [...split] : null;
}

/** `lo fi` as the one word that the catalogue has. */
async function findJoined(db: Db, words: readonly string[]): Promise<string[] | null> {
  const pairs = words.slice(1).map((word, i) => (words[i] ?? '') + word);
  const known = new Set((await findWords(db, pairs)).map((found) => found.word));
  const at = pairs.findIndex((pair) => known.has(pair));
  return at < 0 ? null : words.toSpliced(at, 2, pairs[at] ?? '');
}

/** Places of words that say which week is meant; they are never something else. */
const listFixed = ({ words, week }: SearchQuery): Set<number> =>
  new Set(week ? words.map((_, i) => i).filter((i) => !week.rest.includes(i)) : []);

type Options = { typed: string; isKnown: boolean; others: string[][] };

async function listOptions(db: Db, query: SearchQuery): Promise<Options[]> {
  const { words } = query;
  const known = new Set((await findWords(db, words)).map(({ word }) => word));
  const fixed = listFixed(query);
  const options: Options[] = [];
  for (const [i, word] of words.entries()) {
    const isLast = i === words.length - 1;
    const isKnown =
      fixed.has(i) || known.has(word) || (isLast && (await findWordsFrom(db, word, 1)).length > 0);
    const others = fixed.has(i)
      ? []
      : (await findCandidates(db, { word, isLast })).map((other) => [other]);
    const split = isKnown || others.length > 0 ? null : await findSplit(db, word);
    options.push({ typed: word, isKnown, others: split ? [split] : others });
  }
  return options;
}

/**
 * What to search for instead, the likeliest first: words that the catalogue does not know are
 * replaced; when it knows them all, one at a time is.
 */
export async function listCorrections(db: Db, query: SearchQuery): Promise<SearchQuery[]> {
  const options = await listOptions(db, query);
  const joined = await findJoined(db, query.words);
  const attempts: string[][] = joined ? [joined] : [];
  const isHopeless = options.some(({ isKnown, others }) => !isKnown && others.length === 0);
  if (!isHopeless) {
    const best = options.map(({ typed, isKnown, others }) =>
      isKnown ? [typed] : (others[0] ?? []),
    );
    attempts.push(best.flat());
    for (const [i, { isKnown, others }] of options.entries())
      for (const other of isKnown ? others : others.slice(1))
        attempts.push(best.toSpliced(i, 1, other).flat());
  }
  const typed = query.words.join(' ');
  const different = new Set(attempts.map((words) => words.join(' ')).filter((q) => q !== typed));
  return [...different].slice(0, MAX_ATTEMPTS).map((text) => toQuery(text.split(' ')));
}

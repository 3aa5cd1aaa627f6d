import type { Db } from '../../db/connect.ts';
import { toQuery, type SearchQuery } from './query-plan.ts';
import {
  allowedTypos,
  countTypos,
  countTyposSoFar,
  isCorrectable,
  listLookupKeys,
} from './typos.ts';
import { findStems, findWords, findWordsFrom, type VocabularyWord } from './vocabulary.ts';

/** Limits of one correction, however large the vocabulary is. */
const MAX_STEMS = 300;
const NEAREST_STEMS = 10;
const WORDS_PER_STEM = 12;
const OPTIONS_PER_WORD = 3;
export const MAX_ATTEMPTS = 4;

/** The last word may be unfinished. */
type TypedWord = { word: string; isLast: boolean };

const SHORTEST_BEGINNING = 4;
/** A complete word is likelier than the beginning of one. */
const UNFINISHED = 0.5;

function costOf({ word: typed, isLast }: TypedWord, word: string): number {
  const { length } = [...typed];
  const whole = countTypos(typed, word);
  if (whole <= allowedTypos(length)) return whole;
  if (!isLast || length < SHORTEST_BEGINNING) return Infinity;
  const soFar = countTyposSoFar(typed, word);
  // A beginning says less than a whole word, so it may have fewer typos.
  return soFar <= allowedTypos(length - 1) ? soFar + UNFINISHED : Infinity;
}

/** Likeliest first: fewer typos, the same first letter, more tracks with the word. */
export function rankCandidates(typed: TypedWord, words: readonly VocabularyWord[]): string[] {
  const candidates = new Map(
    words
      .filter(({ word }) => word !== typed.word)
      .map(({ word, docs }) => [word, { word, docs, cost: costOf(typed, word) }]),
  );
  const isSameStart = (word: string) => Number(word[0] === typed.word[0]);
  return [...candidates.values()]
    .filter(({ cost }) => cost < Infinity)
    .toSorted(
      (a, b) =>
        a.cost - b.cost ||
        isSameStart(b.word) - isSameStart(a.word) ||
        b.docs - a.docs ||
        (a.word < b.word ? -1 : 1),
    )
    .map(({ word }) => word);
}

/** Words of the catalogue that may have been meant, likeliest first. */
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

/** Splits `goldenhour` into two words of the catalogue. */
async function findSplit(db: Db, word: string): Promise<string[] | null> {
  const letters = [...word];
  const splits = letters
    .slice(2, -1)
    .map((_, i) => [letters.slice(0, i + 2).join(''), letters.slice(i + 2).join('')] as const);
  const known = new Set((await findWords(db, splits.flat())).map((found) => found.word));
  const split = splits.find(([left, right]) => known.has(left) && known.has(right));
  return split ? [...split] : null;
}

/** Joins `lo fi` into one word of the catalogue. */
async function findJoined(db: Db, words: readonly string[]): Promise<string[] | null> {
  const pairs = words.slice(1).map((word, i) => (words[i] ?? '') + word);
  const known = new Set((await findWords(db, pairs)).map((found) => found.word));
  const at = pairs.findIndex((pair) => known.has(pair));
  return at < 0 ? null : words.toSpliced(at, 2, pairs[at] ?? '');
}

/** Indexes of the words that name a week; they are never corrected. */
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
 * What to search for instead, likeliest first: replaces the words that the catalogue doesn't have,
 * or one word at a time when it has them all.
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

import { allowedTypos, countTypos, countTyposSoFar } from './typos.ts';
import type { VocabularyWord } from './vocabulary.ts';

/** The last word may still be in the middle of being typed. */
export type TypedWord = { word: string; isLast: boolean };

const SHORTEST_BEGINNING = 4;
/** A word that is complete is likelier than one that goes on. */
const UNFINISHED = 0.5;

function costOf({ word: typed, isLast }: TypedWord, word: string): number {
  const { length } = [...typed];
  const whole = countTypos(typed, word);
  if (whole <= allowedTypos(length)) return whole;
  if (!isLast || length < SHORTEST_BEGINNING) return Infinity;
  const soFar = countTyposSoFar(typed, word);
  // A beginning says less than a word, so it is believed less.
  return soFar <= allowedTypos(length - 1) ? soFar + UNFINISHED : Infinity;
}

/** The likeliest first: fewer typos, the same first letter, then what more tracks have. */
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

import { MINUTE } from './time.ts';

export const MAX_MOMENT_TEXT = 120;
/** How long its author can change a line. */
export const MOMENT_EDIT_MS = 5 * MINUTE;
/** A waveform has at most this many marks, however many lines there are. */
export const MOMENT_COLUMNS = 120;

/** Letters and spaces that show nothing. */
const BLANKS = /[\s\u115f\u1160\u2800\u3164\uffa0]+/gu;
/** Emoji and some scripts need joiners; every other format character, such as those of bidi, goes. */
const INVISIBLE = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/gu;
/** Stacked accents that would cover the lines above. */
const STACKED = /(\p{M}{4})\p{M}+/gu;

/** The line as it is stored: one line of visible text. */
export const cleanMomentText = (text: string): string =>
  text
    .normalize('NFC')
    .replaceAll(BLANKS, ' ')
    .replaceAll(INVISIBLE, '')
    .replaceAll(STACKED, '$1')
    .replaceAll(/ {2,}/g, ' ')
    .trim();

/** As people count: an emoji of one code point is one. */
export const countCharacters = (text: string): number => [...text].length;

export const hasVisibleText = (text: string): boolean => /[\p{L}\p{N}\p{P}\p{S}]/u.test(text);

/** One line per user, track and minute. */
export const minuteOf = (second: number): number => Math.floor(second / 60);

const WORD = /[\p{L}\p{N}]+/gu;

/** ` the same word ` for every spelling: `THE sámé  word!`. */
const toWords = (text: string): string => {
  const plain = text
    .normalize('NFKD')
    .replaceAll(/[\p{M}\p{Cf}]/gu, '')
    .toLowerCase();
  return ` ${(plain.match(WORD) ?? []).join(' ')} `;
};

/** The words of a setting, one per line. */
export const listWords = (setting: string): string[] => [
  ...new Set(
    setting
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => toWords(line).trim() !== ''),
  ),
];

/** The first of these words or phrases that the text contains as whole words. */
export function findForbiddenWord(text: string, setting: string): string | null {
  const words = toWords(text);
  return listWords(setting).find((word) => words.includes(toWords(word))) ?? null;
}

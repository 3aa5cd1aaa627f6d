import type { CSSProperties } from 'react';

/** An average letter of the display type, with some extra for wide ones. */
const LETTER_EM = 0.37;
const MAX_LINES = 3;
/** A longer word is broken, or it would make the whole title tiny. */
const LONGEST_WORD = 20;
/** Titles of about the same length get the same size. */
const STEP = 4;

/** How many letters a line must hold so that the title fits three lines, ending at words. */
export function countLettersPerLine(title: string): number {
  const words = title.match(new RegExp(`\\S{1,${LONGEST_WORD}}`, 'gu')) ?? [];
  const lengths = words.map((word) => [...word].length);
  let letters = Math.ceil(Math.max(1, ...lengths) / STEP) * STEP;
  while (countLines(lengths, letters) > MAX_LINES) letters += STEP;
  return letters;
}

function countLines(lengths: readonly number[], letters: number): number {
  let lines = 1;
  let used = -1;
  for (const length of lengths) {
    if (used + 1 + length > letters) {
      lines += 1;
      used = length;
    } else used += 1 + length;
  }
  return lines;
}

/** The style of a title with `title-fit`: a long title gets smaller in steps. */
export const fitTitle = (title: string): CSSProperties => ({
  ['--title-em' as string]: (countLettersPerLine(title) * LETTER_EM).toFixed(2),
});

/** A folded word and its offsets in the text. */
type FoundWord = { word: string; start: number; end: number };

/** Longer words are cut. */
const MAX_WORD = 32;

const SEGMENT = /[\p{L}\p{N}\p{M}]+(?:['’ʼ`´][\p{L}\p{N}\p{M}]+)*|&/gu;
const UNDECOMPOSED: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  ı: 'i',
  þ: 'th',
};

/** Ignores case, accents and apostrophes: `Émigré’s` and `emigres` are the same word. */
export const foldWord = (text: string): string =>
  // A fast path: most words are plain, and search splits every result into words.
  /^[a-z0-9]+$/i.test(text) ? text.toLowerCase().slice(0, MAX_WORD) : foldLetters(text);

const foldLetters = (text: string): string =>
  [
    ...text
      .toLowerCase()
      .normalize('NFKD')
      .replaceAll(/[^\p{L}\p{N}]/gu, '')
      .toLowerCase()
      .replaceAll(/[ßæœøđðłıþ]/g, (letter) => UNDECOMPOSED[letter] ?? letter),
  ]
    .slice(0, MAX_WORD)
    .join('');

/** Splits a text into words, in the same way on the server and in the browser. */
export function readWords(text: string): FoundWord[] {
  const found: FoundWord[] = [];
  for (const match of text.matchAll(SEGMENT)) {
    const word = match[0] === '&' ? 'and' : foldWord(match[0]);
    if (word) found.push({ word, start: match.index, end: match.index + match[0].length });
  }
  return found;
}

/** The words that hyphens or dots form: `Lo-Fi` can also be found as `lofi`. */
export function readCompounds(text: string): string[] {
  const words = readWords(text);
  return words.flatMap(({ word, end }, i) => {
    const next = words[i + 1];
    return next && /^[-‐‑.]$/u.test(text.slice(end, next.start))
      ? [foldWord(word + next.word)]
      : [];
  });
}

/** A whole word, or the start of one. */
export type SearchTerm = { word: string; isPrefix: boolean };

export const isHit = (term: SearchTerm, word: string): boolean =>
  term.isPrefix ? word.startsWith(term.word) : word === term.word;

/** Splits a text so that a page can highlight the hits without inserting HTML. */
export function splitByHits(
  text: string,
  terms: readonly SearchTerm[],
): { text: string; isHit: boolean }[] {
  const pieces: { text: string; isHit: boolean }[] = [];
  let from = 0;
  for (const { word, start, end } of readWords(text)) {
    if (!terms.some((term) => isHit(term, word))) continue;
    if (start > from) pieces.push({ text: text.slice(from, start), isHit: false });
    pieces.push({ text: text.slice(start, end), isHit: true });
    from = end;
  }
  if (from < text.length) pieces.push({ text: text.slice(from), isHit: false });
  return pieces;
}

/** A word as search compares it, and where it stands in the text. */
export type FoundWord = { word: string; start: number; end: number };

/** No catalogue has longer words; what has is no word. */
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

/** `Émigré’s` and `emigres` are one word: no case, no accents, no apostrophes. */
export const foldWord = (text: string): string =>
  // Most words are plain, and every result of a search is read word by word.
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

/** The words of a text, the same on the server, in both databases and on the page. */
export function readWords(text: string): FoundWord[] {
  const found: FoundWord[] = [];
  for (const match of text.matchAll(SEGMENT)) {
    const word = match[0] === '&' ? 'and' : foldWord(match[0]);
    if (word) found.push({ word, start: match.index, end: match.index + match[0].length });
  }
  return found;
}

/** `Lo-Fi` is also looked for as `lofi`. */
export function readCompounds(text: string): string[] {
  const words = readWords(text);
  return words.flatMap(({ word, end }, i) => {
    const next = words[i + 1];
    return next && /^[-‐‑.]$/u.test(text.slice(end, next.start))
      ? [foldWord(word + next.word)]
      : [];
  });
}

/** What is looked for in a text: a whole word, or one that goes on. */
export type SearchTerm = { word: string; isPrefix: boolean };

export const isHit = (term: SearchTerm, word: string): boolean =>
  term.isPrefix ? word.startsWith(term.word) : word === term.word;

/** A text in pieces, so that a page can mark what was found without trusting any of it. */
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

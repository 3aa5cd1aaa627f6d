/** Typos are looked up by the beginning of a word; the rest is compared afterwards. */
const STEM = 7;
const SHORTEST = 3;
const LONG = 6;

/** None in a very short word, one in a short word, two in a longer one. */
export const allowedTypos = (length: number): number =>
  length < SHORTEST ? 0 : length < LONG ? 1 : 2;

/** Numbers are never corrected. */
export const isCorrectable = (word: string): boolean =>
  word.length >= SHORTEST && !/\p{N}/u.test(word);

/** Edit distance: insertions, deletions, replacements and swapped neighbours. */
export function countTypos(a: string, b: string): number {
  const from = [...a];
  const to = [...b];
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, j) => j);
  for (let i = 1; i <= from.length; i++) {
    const row = [i];
    for (let j = 1; j <= to.length; j++) {
      const isSame = from[i - 1] === to[j - 1];
      const isSwapped = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      row[j] = Math.min(
        (last[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (last[j - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped ? (beforeLast[j - 2] ?? 0) + 1 : Infinity,
      );
    }
    beforeLast = last;
    last = row;
  }
  return last[to.length] ?? 0;
}

/** The smallest edit distance between what is typed so far and a beginning of the word. */
export function countTyposSoFar(typed: string, word: string): number {
  const letters = [...word];
  const typedLength = [...typed].length;
  let fewest = Infinity;
  for (let length = typedLength - 2; length <= Math.min(typedLength + 2, letters.length); length++)
    if (length > 0) fewest = Math.min(fewest, countTypos(typed, letters.slice(0, length).join('')));
  return fewest;
}

/** The text, and the text without one or two of its letters. */
function listDeletions(text: string, most: number): string[] {
  const all = new Set([text]);
  let current = [text];
  for (let round = 0; round < most; round++) {
    current = current.flatMap((from) => {
      const letters = [...from];
      return letters.map((_, i) => letters.toSpliced(i, 1).join(''));
    });
    for (const shorter of current) if (shorter) all.add(shorter);
  }
  return [...all];
}

/** The beginnings of a word by which typos are found: similar ones share a deletion. */
export function listStems(word: string): string[] {
  if (!isCorrectable(word)) return [];
  const letters = [...word];
  const longest = Math.min(STEM, letters.length);
  return Array.from({ length: longest - SHORTEST + 1 }, (_, i) =>
    letters.slice(0, SHORTEST + i).join(''),
  );
}

/** The keys under which a beginning is stored. */
export const listStemKeys = (stem: string): string[] =>
  listDeletions(stem, allowedTypos([...stem].length));

/** The keys by which a typed word is looked up. */
export const listLookupKeys = (typed: string): string[] => {
  const letters = [...typed];
  return listDeletions(letters.slice(0, STEM).join(''), allowedTypos(letters.length));
};

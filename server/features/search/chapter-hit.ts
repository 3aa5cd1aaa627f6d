import { isHit, readWords, type SearchTerm } from '#contract/rules/search-words.ts';
import type { Chapter } from '#contract/tracks.ts';

const hitsIn = (terms: readonly SearchTerm[], text: string): SearchTerm[] => {
  const words = readWords(text);
  return terms.filter((term) => words.some(({ word }) => isHit(term, word)));
};

type Mix = { title: string; genre: string | null; chapters: readonly Chapter[] };

/** The chapter that was meant: the first with the most of what neither title nor genre says. */
export function findChapterHit(terms: readonly SearchTerm[], mix: Mix): Chapter | null {
  const outside = hitsIn(terms, `${mix.title} ${mix.genre ?? ''}`);
  const missing = terms.filter((term) => !outside.includes(term));
  if (missing.length === 0) return null;
  let best: Chapter | null = null;
  let most = 0;
  for (const chapter of mix.chapters) {
    const text = `${chapter.artist ?? ''} ${chapter.title}`;
    if (hitsIn(missing, text).length === 0) continue;
    const hits = hitsIn(terms, text).length;
    if (hits > most) [best, most] = [chapter, hits];
  }
  return best;
}

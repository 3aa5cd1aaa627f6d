import { countTypos } from './typos.ts';

/** A week that was asked for, and the words that are not part of saying so. */
export type WeekQuery = { week: number; year: number | null; rest: number[] };

const LAST_WEEK = 53;
const MARKERS = new Set(['w', 'wk', 'week', 'weeks']);

const toWeek = (digits: string | undefined): number | null => {
  if (!digits || !/^\d{1,2}$/.test(digits)) return null;
  const week = Number(digits);
  return week >= 1 && week <= LAST_WEEK ? week : null;
};
const isYear = (word: string) => /^(?:19|20)\d\d$/.test(word);

export const isWeekMarker = (word: string): boolean =>
  MARKERS.has(word) || (word.length >= 3 && word.startsWith('w') && countTypos(word, 'week') <= 1);

/** `week 12`, `w12`, `2026-W12`, or only the number; the words are taken by their places. */
function findWeek(words: readonly string[]): { week: number; taken: number[] } | null {
  for (const [i, word] of words.entries()) {
    const joined = toWeek(/^(?:w|wk|week)(\d{1,2})$/.exec(word)?.[1]);
    if (joined !== null) return { week: joined, taken: [i] };
    const next = isWeekMarker(word) ? toWeek(words[i + 1]) : null;
    if (next !== null) return { week: next, taken: [i, i + 1] };
  }
  for (const [i, word] of words.entries()) {
    const week = toWeek(word);
    if (week !== null) return { week, taken: [i] };
  }
  return null;
}

export function parseWeekQuery(words: readonly string[]): WeekQuery | null {
  const found = findWeek(words);
  if (!found) return null;
  const places = words.map((_, i) => i);
  const yearAt = places.find((i) => isYear(words[i] ?? ''));
  return {
    week: found.week,
    year: yearAt === undefined ? null : Number(words[yearAt]),
    rest: places.filter((i) => i !== yearAt && !found.taken.includes(i)),
  };
}

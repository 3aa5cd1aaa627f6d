import { weeksInYear, type WeekOfYear } from './weeks.ts';

type NameGuess = { title: string } & WeekOfYear;

const YEAR = /(?:^|\D)((?:19|20)\d\d)(?!\d)/;
const WEEK = /(?:^|[^a-z0-9]|(?<=\d{4}))(?:week|wk|kw|w)[\s._-]?(\d{1,2})(?!\d)/i;
const NOISE = /^(?:master(?:ed)?|final|mixdown|bounce|export|premaster|v\d+|\d+bit|\d+k(?:hz)?)$/i;
const SMALL = new Set(['a', 'an', 'and', 'at', 'by', 'for', 'in', 'of', 'on', 'or', 'the', 'to']);

const capitalise = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

function formatTitle(words: readonly string[]): string {
  const isLower = words.every((word) => word === word.toLowerCase());
  if (!isLower) return words.join(' ');
  return words
    .map((word, index) => (index > 0 && SMALL.has(word) ? word : capitalise(word)))
    .join(' ');
}

/** Guesses the title and week from a file name; without a week, uses the given one. */
export function guessFromFileName(name: string, fallback: WeekOfYear): NameGuess {
  const base = name.replace(/\.[a-z0-9]{2,5}$/i, '').normalize('NFC');
  const week = Number(WEEK.exec(base)?.[1] ?? Number.NaN);
  const year = Number(YEAR.exec(base)?.[1] ?? Number.NaN);
  const slotYear = Number.isNaN(year) ? fallback.year : year;
  const hasWeek = week >= 1 && week <= weeksInYear(slotYear);
  const rest = base
    .replace(WEEK, ' ')
    .replace(YEAR, ' ')
    .split(/[\s_.-]+/)
    .filter((word) => word && !NOISE.test(word));
  const title = formatTitle(rest)
    .replace(/\p{Cc}/gu, '')
    .slice(0, 120)
    .trim();
  const slot = hasWeek
    ? { year: slotYear, week }
    : { year: slotYear, week: Math.min(fallback.week, weeksInYear(slotYear)) };
  return { title: title || `Week ${slot.week}`, ...slot };
}

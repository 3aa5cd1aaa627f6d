import type { Chapter } from '#contract/tracks.ts';

/** From and to which second of a mix a play was heard. */
export type Span = readonly [from: number, to: number];

type EntryFigures = { plays: number; seconds: number };

/** Less of an entry doesn't count as a play of it, unless the entry is shorter. */
const MIN_SECONDS = 5;

type Timed = Pick<Chapter, 'at'>;

/** A part of a mix, with the entries in it. How long one was heard is known if it has the part to itself. */
type Section = { from: number; to: number; owners: number; figures: EntryFigures };

const newSection = (from: number, to: number, owners: number): Section => ({
  from,
  to,
  owners,
  figures: { plays: 0, seconds: 0 },
});

/** An entry without a time, or with that of the entry before, is in the section of the latter. */
function divide(chapters: readonly Timed[], end: number): { all: Section[]; own: Section[] } {
  let current = newSection(0, end, 0);
  const all = [current];
  const own = chapters.map(({ at }) => {
    const from = at === null ? null : Math.round(at);
    if (from !== null && from > current.from && from < end) {
      current.to = from;
      current = newSection(from, end, 0);
      all.push(current);
    }
    // Without a time, an entry shares what comes before the first one that has a time.
    current.owners += from === current.from ? 1 : 2;
    return current;
  });
  return { all, own };
}

/** The index of the last section that doesn't begin after the second. */
function findSection(sections: readonly Section[], second: number): number {
  let low = 0;
  let high = sections.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((sections[middle]?.from ?? 0) <= second) low = middle;
    else high = middle - 1;
  }
  return low;
}

/**
 * How often and for how long each entry of a tracklist was heard, in whole seconds. An entry lasts
 * until the next one begins, or the mix ends. Null where nobody knows, because entries share a time.
 */
export function measureEntries(
  chapters: readonly Timed[],
  durationSeconds: number,
  spans: readonly Span[],
): (EntryFigures | null)[] {
  const { all, own } = divide(chapters, Math.round(durationSeconds));
  for (const [from, to] of spans)
    for (let index = findSection(all, from); index < all.length; index += 1) {
      const section = all[index];
      if (!section || section.from >= to) break;
      const seconds = Math.min(to, section.to) - Math.max(from, section.from);
      section.figures.seconds += seconds;
      if (seconds >= Math.min(MIN_SECONDS, section.to - section.from)) section.figures.plays += 1;
    }
  return own.map(({ owners, figures }) => (owners === 1 ? figures : null));
}

import { weeksInYear, type WeekOfYear } from '#contract/rules/weeks.ts';
import type { Track } from '#contract/tracks.ts';
import type { WeekBar } from '#web/ui/art/year-bars.tsx';
import { readHeardState } from '#web/features/tracks/heard-state.ts';

const shareOf = (track: Track): number => readHeardState(track)?.share ?? 0;

function stateOf(tracks: readonly Track[]): Pick<WeekBar, 'state' | 'share'> {
  if (tracks.every((track) => track.progress?.isHeard)) return { state: 'heard' };
  if (tracks.every((track) => !track.progress)) return { state: 'unheard' };
  const share = tracks.reduce((sum, track) => sum + shareOf(track), 0) / tracks.length;
  return { state: 'started', share };
}

const SHORTEST_BAR = 0.35;
/** One marathon does not make stubs of all the others: what is longer than most is as tall as most. */
const TALL = 0.9;

/** From the shortest mix of the year to a long one of it, as shares of the tallest bar. */
function scaleLengths(tracks: readonly Track[]): (seconds: number) => number {
  const lengths = tracks.map((track) => track.duration).toSorted((a, b) => a - b);
  const shortest = lengths[0] ?? 0;
  const tall = lengths[Math.floor(TALL * (lengths.length - 1))] ?? 0;
  if (tall <= shortest) return () => 1;
  return (seconds) =>
    SHORTEST_BAR +
    (1 - SHORTEST_BAR) * Math.min(1, Math.max(0, (seconds - shortest) / (tall - shortest)));
}

/** The height of a bar is the length of the week's longest mix, its fill the share that was heard. */
export function barsOfYear(tracks: readonly Track[], { year, week }: WeekOfYear): WeekBar[] {
  const heightOf = scaleLengths(tracks);
  return Array.from({ length: weeksInYear(year) }, (_, i): WeekBar => {
    const ofWeek = tracks.filter((track) => track.weekNumber === i + 1);
    if (ofWeek.length === 0) return { week: i + 1, state: i + 1 > week ? 'coming' : 'none' };
    const height = heightOf(Math.max(...ofWeek.map((track) => track.duration)));
    // This week's bar is lit whatever was heard of it: it is what the year has come to.
    if (i + 1 === week) return { week, state: 'heard', height };
    return { week: i + 1, ...stateOf(ofWeek), height };
  });
}

export type YearCounts = { heard: number; started: number; left: number };

export function countYear(tracks: readonly Track[]): YearCounts {
  const heard = tracks.filter((track) => track.progress?.isHeard).length;
  const begun = tracks.filter((track) => track.progress).length;
  return { heard, started: begun - heard, left: tracks.length - begun };
}

/** What came out before this week and was never begun, in the order it came out. */
export const findMissed = (tracks: readonly Track[], thisWeek: WeekOfYear): Track[] =>
  tracks
    .filter((track) => !track.progress && track.weekNumber < thisWeek.week)
    .toSorted((a, b) => a.weekNumber - b.weekNumber || a.publishedAt - b.publishedAt);

/** `Week 34, Namaqua Bloom, heard` */
export function describeWeek(
  week: number,
  tracks: readonly Track[],
  { isMember, thisWeek }: { isMember: boolean; thisWeek: number },
): string {
  const [first, ...others] = tracks;
  if (!first) return `Week ${week}, ${week > thisWeek ? 'not out yet' : 'no mix'}`;
  const more = others.length > 0 ? ` and ${others.length} more` : '';
  const { state } = stateOf(tracks);
  const words = { heard: ', heard', started: ', started', unheard: ', not yet heard' } as const;
  const heard = isMember ? words[state as keyof typeof words] : '';
  return `Week ${week}, ${first.title}${more}${heard}`;
}

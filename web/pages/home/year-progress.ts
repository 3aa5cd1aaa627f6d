import {
  findListening,
  findListeningState,
  isTrackMissed,
  type ListeningState,
} from '#contract/rules/progress.ts';
import { weeksInYear, type WeekOfYear } from '#contract/rules/weeks.ts';
import type { Track } from '#contract/tracks.ts';
import type { WeekBar } from '#web/ui/art/year-bars.tsx';

function stateOf(tracks: readonly Track[]): Pick<WeekBar, 'state' | 'share'> {
  const listening = tracks.map(findListening);
  if (listening.every(({ state }) => state === 'heard')) return { state: 'finished' };
  if (listening.every(({ state }) => state === 'unheard')) return { state: 'unplayed' };
  return {
    state: 'started',
    share: listening.reduce((sum, { share }) => sum + share, 0) / tracks.length,
  };
}

const SHORTEST_BAR = 0.35;
/** Everything above this percentile is drawn as tall, so that one marathon doesn't shrink the rest. */
const TALL_PERCENTILE = 0.9;

/** Scales from the shortest track of the year to a long one, as shares of the tallest bar. */
function scaleLengths(tracks: readonly Track[]): (seconds: number) => number {
  const lengths = tracks.map((track) => track.duration).toSorted((a, b) => a - b);
  const shortest = lengths[0] ?? 0;
  const tall = lengths[Math.floor(TALL_PERCENTILE * (lengths.length - 1))] ?? 0;
  if (tall <= shortest) return () => 1;
  return (seconds) =>
    SHORTEST_BAR +
    (1 - SHORTEST_BAR) * Math.min(1, Math.max(0, (seconds - shortest) / (tall - shortest)));
}

/** A bar's height is the length of the week's longest track; its fill is the share listened to. */
export function buildYearBars(tracks: readonly Track[], { year, week }: WeekOfYear): WeekBar[] {
  const heightOf = scaleLengths(tracks);
  return Array.from({ length: weeksInYear(year) }, (_, i): WeekBar => {
    const ofWeek = tracks.filter((track) => track.weekNumber === i + 1);
    if (ofWeek.length === 0) return { week: i + 1, state: i + 1 > week ? 'coming' : 'none' };
    const height = heightOf(Math.max(...ofWeek.map((track) => track.duration)));
    // This week's bar is always filled, to stand out as the current one.
    if (i + 1 === week) return { week, state: 'finished', height };
    return { week: i + 1, ...stateOf(ofWeek), height };
  });
}

type YearCounts = { finished: number; started: number; toGo: number };

export function countProgress(tracks: readonly Track[]): YearCounts {
  const states = tracks.map(findListeningState);
  const countOf = (wanted: ListeningState) => states.filter((state) => state === wanted).length;
  const [finished, started] = [countOf('heard'), countOf('started')];
  return { finished, started, toGo: tracks.length - finished - started };
}

/** Tracks of earlier weeks that weren't listened to, oldest first. */
export const listMissedTracks = (tracks: readonly Track[], thisWeek: WeekOfYear): Track[] =>
  tracks
    .filter((track) => isTrackMissed(track, thisWeek))
    .toSorted((a, b) => a.weekNumber - b.weekNumber || a.publishedAt - b.publishedAt);

function describeState(tracks: readonly Track[]): string {
  const states = new Set(tracks.map(findListeningState));
  if (states.has('started') || (states.has('heard') && states.size > 1)) return 'started';
  if (states.has('heard')) return 'heard';
  return states.has('previewed') ? 'preview heard' : 'not heard yet';
}

/** `Week 34, Namaqua Bloom, heard` */
export function describeWeek(
  week: number,
  tracks: readonly Track[],
  { isLoggedIn, thisWeek }: { isLoggedIn: boolean; thisWeek: number },
): string {
  const [first, ...others] = tracks;
  if (!first) return `Week ${week}, ${week > thisWeek ? 'not out yet' : 'no mix'}`;
  const more = others.length > 0 ? ` and ${others.length} more` : '';
  return `Week ${week}, ${first.title}${more}${isLoggedIn ? `, ${describeState(tracks)}` : ''}`;
}

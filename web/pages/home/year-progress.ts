import {
  findListeningState,
  isTrackMissed,
  type ListeningState,
} from '#contract/rules/progress.ts';
import type { WeekOfYear } from '#contract/rules/weeks.ts';
import { buildYearBars, type WeekBar } from '#contract/rules/year-bars.ts';
import type { Track } from '#contract/tracks.ts';

const NEXT_HEIGHT = 0.6;

/** This week's bar is always filled, to stand out as the current one; the one of the next mix is hollow. */
export const buildHomeBars = (
  tracks: readonly Track[],
  thisWeek: WeekOfYear,
  nextWeek?: number,
): WeekBar[] =>
  buildYearBars(tracks, thisWeek).map((bar) => {
    const { week, height } = bar;
    if (height === undefined)
      return week === nextWeek ? { week, state: 'unplayed', height: NEXT_HEIGHT } : bar;
    return week === thisWeek.week ? { week, state: 'finished', height } : bar;
  });

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
  {
    isLoggedIn,
    thisWeek,
    next,
  }: {
    isLoggedIn: boolean;
    thisWeek: number;
    /** The next mix of this year, and when it comes out. */
    next?: { weekNumber: number; hour: string } | undefined;
  },
): string {
  const [first, ...others] = tracks;
  if (!first && next?.weekNumber === week) return `Week ${week}, ${next.hour}`;
  if (!first) return `Week ${week}, ${week > thisWeek ? 'not out yet' : 'no mix'}`;
  const more = others.length > 0 ? ` and ${others.length} more` : '';
  return `Week ${week}, ${first.title}${more}${isLoggedIn ? `, ${describeState(tracks)}` : ''}`;
}

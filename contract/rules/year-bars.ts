import { findListening, type ListenedTrack } from './progress.ts';
import { weeksInYear, type WeekOfYear } from './weeks.ts';

export type WeekBar = {
  week: number;
  /** `none`: no mix that week. `coming`: a week in the future. */
  state: 'finished' | 'started' | 'unplayed' | 'none' | 'coming';
  /** Share of the tallest bar, 0 to 1: the length of the mix. */
  height?: number | undefined;
  /** Share listened to, from 0 to 1, when started. */
  share?: number | undefined;
};

type BarTrack = ListenedTrack & { weekNumber: number };

function stateOf(tracks: readonly BarTrack[]): Pick<WeekBar, 'state' | 'share'> {
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
function scaleLengths(tracks: readonly BarTrack[]): (seconds: number) => number {
  const lengths = tracks.map((track) => track.duration).toSorted((a, b) => a - b);
  const shortest = lengths[0] ?? 0;
  const tall = lengths[Math.floor(TALL_PERCENTILE * (lengths.length - 1))] ?? 0;
  if (tall <= shortest) return () => 1;
  return (seconds) =>
    SHORTEST_BAR +
    (1 - SHORTEST_BAR) * Math.min(1, Math.max(0, (seconds - shortest) / (tall - shortest)));
}

/**
 * A bar's height is the length of the week's longest track; its fill is the share listened to. Weeks
 * without a track are `coming` after this one of the year.
 */
export function buildYearBars(tracks: readonly BarTrack[], { year, week }: WeekOfYear): WeekBar[] {
  const heightOf = scaleLengths(tracks);
  return Array.from({ length: weeksInYear(year) }, (_, i): WeekBar => {
    const ofWeek = tracks.filter((track) => track.weekNumber === i + 1);
    if (ofWeek.length === 0) return { week: i + 1, state: i + 1 > week ? 'coming' : 'none' };
    const height = heightOf(Math.max(...ofWeek.map((track) => track.duration)));
    return { week: i + 1, ...stateOf(ofWeek), height };
  });
}

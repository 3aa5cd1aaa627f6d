import type { Track } from '#contract/tracks.ts';
import type { Signals } from './signals.ts';

/** Where listeners stopped, by track id. */
export type ResumePositions = {
  read(trackId: string): number;
  keep(trackId: string, seconds: number): void;
  forget(trackId: string): void;
};

const WORTH_RESUMING_SECONDS = 15;
const AS_GOOD_AS_OVER_SECONDS = 30;

/** Beginnings and endings are not resumed, and a preview is short enough to begin again. */
export function resumeAt(track: Track, position: number): number {
  const isWorthIt =
    track.access === 'full' &&
    position >= WORTH_RESUMING_SECONDS &&
    position <= track.duration - AS_GOOD_AS_OVER_SECONDS;
  return isWorthIt ? position : 0;
}

export function keepResumePositions(signals: Signals, positions: ResumePositions): () => void {
  return signals.subscribe((signal) => {
    if (signal.type === 'finished') positions.forget(signal.track.id);
    if (signal.type === 'rested' && signal.track.access === 'full')
      positions.keep(signal.track.id, signal.time);
  });
}

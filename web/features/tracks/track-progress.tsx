import { formatDuration } from '#contract/rules/format.ts';
import type { Track } from '#contract/tracks.ts';

type ProgressState = {
  /** Share of the track, from 0 to 1. */
  share: number;
  text: string;
};

/** How far the user has listened; null when they haven't started. */
export function describeProgress({ progress, duration }: Track): ProgressState | null {
  if (!progress) return null;
  if (progress.isFinished) return { share: 1, text: 'Heard' };
  if (progress.position <= 0 || duration <= 0) return null;
  return {
    share: Math.min(1, progress.position / duration),
    text: `${formatDuration(progress.position)} of ${formatDuration(duration)}`,
  };
}

/** The week's bar, filled as far as the user has listened, and the same as text. */
export function ProgressMark({ track }: { track: Track }) {
  const state = describeProgress(track);
  return (
    <span className="flex items-center gap-2 md:w-36" title={state?.text}>
      <i className="flex h-6 w-[7px] shrink-0 items-end overflow-hidden rounded-[1.5px] bar-outline">
        {state && <i className="w-full bar-solid" style={{ height: `${state.share * 100}%` }} />}
      </i>
      {state && <span className="truncate type-meta tabular max-lg:sr-only">{state.text}</span>}
    </span>
  );
}

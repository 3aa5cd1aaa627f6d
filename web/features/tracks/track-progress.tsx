import { formatHours } from '#contract/rules/format.ts';
import { findListening } from '#contract/rules/progress.ts';
import type { Track } from '#contract/tracks.ts';
import { fillBar } from '#web/ui/art/year-bars.tsx';

type ProgressState = {
  /** Share of the track, from 0 to 1. */
  share: number;
  text: string;
};

/** `29 min left`, `1 h 5 min left`, `40 s left` */
function formatTimeLeft(exactSeconds: number): string {
  const seconds = Math.ceil(exactSeconds);
  return `${seconds < 60 ? `${seconds} s` : formatHours(seconds)} left`;
}

/** How far the user has listened; null when they haven't started. */
export function describeProgress(track: Track): ProgressState | null {
  const { state, share, secondsLeft } = findListening(track);
  if (state === 'unheard') return null;
  const canContinue = track.access === 'full';
  const texts = {
    heard: 'Heard',
    previewed: 'Preview heard',
    // Someone whose subscription ended can’t hear the rest.
    started: canContinue ? formatTimeLeft(secondsLeft) : 'Started',
  };
  return { share: canContinue || state === 'heard' ? share : 0, text: texts[state] };
}

/** The week's bar, filled as far as the user has listened, and the same as text. */
export function ProgressMark({ track, className = '' }: { track: Track; className?: string }) {
  const state = describeProgress(track);
  return (
    <span
      className={`flex items-center gap-2 @4xl/content:w-[9rem] ${className}`}
      title={state?.text}
    >
      <i
        className="h-6 w-[7px] shrink-0 rounded-[1.5px] bar-filled"
        style={fillBar(state?.share ?? 0)}
      />
      {state && (
        <span className="truncate type-meta tabular @max-4xl/content:sr-only">{state.text}</span>
      )}
    </span>
  );
}

/** How far the user has listened, as a line. For rows whose note gives the numbers. */
export function ProgressLine({ track }: { track: Track }) {
  const share = describeProgress(track)?.share;
  return (
    <span
      aria-hidden
      className={`h-1 w-[7rem] overflow-hidden rounded-pill bg-line @max-4xl/content:hidden ${share ? '' : 'invisible'}`}
    >
      <span
        className="block h-full bg-week-fill"
        style={{ width: `${Math.round((share ?? 0) * 100)}%` }}
      />
    </span>
  );
}

import type { Track } from '#contract/tracks.ts';
import { readHeardState } from './heard-state.ts';

/** The week's bar: solid is heard, part of it started, outline not yet. Beside it, in words, how far. */
export function HeardMark({ track }: { track: Track }) {
  const state = readHeardState(track);
  return (
    <span className="flex items-center gap-2 md:w-32" title={state?.words}>
      <i className="flex h-6 w-[7px] shrink-0 items-end overflow-hidden rounded-[1.5px] bar-outline">
        {state && <i className="w-full bar-solid" style={{ height: `${state.share * 100}%` }} />}
      </i>
      {state && <span className="truncate type-meta tabular max-lg:sr-only">{state.words}</span>}
    </span>
  );
}

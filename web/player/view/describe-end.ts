import { formatDuration } from '#contract/rules/time.ts';
import { selectIsPreviewEnded, selectPlayableSeconds } from '#web/player/preview-limit.ts';
import type { PlayerState } from '#web/player/store.ts';

/** What is at the right end of the waveform. A preview has all of its width until it is over. */
export function describeEnd(state: PlayerState): string {
  const playable = selectPlayableSeconds(state);
  const total = formatDuration(state.duration);
  return playable < state.duration && !selectIsPreviewEnded(state)
    ? `${formatDuration(playable)} of ${total}`
    : total;
}

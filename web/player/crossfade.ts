import type { AudioOutput } from './audio-output.ts';
import type { Clock } from './clock.ts';
import type { PlayerState } from './store.ts';

export const MAX_CROSSFADE_SECONDS = 12;
const STEP_MS = 50;

export const limitCrossfade = (seconds: number): number =>
  Number.isNaN(seconds) ? 0 : Math.min(MAX_CROSSFADE_SECONDS, Math.max(0, seconds));

/** Seconds to fade for, now; null when the playing track is not to be faded into the next one. */
export function dueCrossfade(
  state: Pick<
    PlayerState,
    | 'currentTrack'
    | 'isPlaying'
    | 'isFullTrackAvailable'
    | 'currentTime'
    | 'duration'
    | 'queue'
    | 'currentTrackIndex'
    | 'crossfadeSeconds'
    | 'sleepTimer'
  >,
): number | null {
  const { currentTrack, crossfadeSeconds, duration, currentTime } = state;
  const next = state.queue[state.currentTrackIndex + 1];
  const left = duration - currentTime;
  const isWanted =
    crossfadeSeconds > 0 &&
    state.isPlaying &&
    state.isFullTrackAvailable &&
    currentTrack?.access === 'full' &&
    next?.access === 'full' &&
    state.sleepTimer?.kind !== 'end-of-track';
  // A track has to be long enough to be heard between its two fades.
  const isDue = left > 0 && left <= crossfadeSeconds && duration >= 3 * crossfadeSeconds;
  return isWanted && isDue ? left : null;
}

/** Equal power: the sum sounds as loud in the middle as at the ends. */
export const fadeGains = (progress: number): { incoming: number; outgoing: number } => {
  const angle = (Math.min(1, Math.max(0, progress)) * Math.PI) / 2;
  return { incoming: Math.sin(angle), outgoing: progress >= 1 ? 0 : Math.cos(angle) };
};

type FadeOptions = {
  incoming: AudioOutput;
  outgoing: AudioOutput;
  seconds: number;
  clock: Clock;
  volume(): number;
};

export type Fade = ReturnType<typeof createFade>;

export function createFade({ incoming, outgoing, seconds, clock, volume }: FadeOptions) {
  let startedAt: number | null = null;
  let cancel: (() => void) | null = null;
  let isFinished = false;

  function apply(): void {
    const elapsed = startedAt === null ? 0 : clock.now() - startedAt;
    const gains = fadeGains(elapsed / (seconds * 1000));
    incoming.setVolume(volume() * gains.incoming);
    outgoing.setVolume(volume() * gains.outgoing);
  }

  function step(): void {
    if (startedAt !== null && clock.now() - startedAt >= seconds * 1000) return finish();
    apply();
    cancel = clock.after(STEP_MS, step);
  }

  function finish(): void {
    if (isFinished) return;
    isFinished = true;
    cancel?.();
    outgoing.unload();
    incoming.setVolume(volume());
  }

  apply();
  return {
    apply() {
      if (isFinished) incoming.setVolume(volume());
      else apply();
    },
    /** The next file sounds: only from here on may the old one get quieter. */
    begin() {
      if (startedAt !== null || isFinished) return;
      startedAt = clock.now();
      step();
    },
    finish,
    isFinished: () => isFinished,
  };
}

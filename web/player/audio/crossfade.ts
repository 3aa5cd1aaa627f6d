import { SECOND } from '#contract/rules/time.ts';
import type { AudioOutput } from './audio-output.ts';
import type { Clock } from '#web/player/clock.ts';
import type { Settings } from '#web/player/machine/state.ts';
import type { PlayerState } from '#web/player/store.ts';

const MAX_CROSSFADE_SECONDS = 12;
/** What the menus offer. */
export const CROSSFADE_CHOICES = [0, 3, 6, 9, MAX_CROSSFADE_SECONDS];
const STEP_MS = 50;

export const limitCrossfade = (seconds: number): number =>
  Number.isNaN(seconds) ? 0 : Math.min(MAX_CROSSFADE_SECONDS, Math.max(0, seconds));

/** How many seconds to fade for, starting now; null if no crossfade is due. */
export function dueCrossfade(
  state: Settings & Pick<PlayerState, 'currentTrack' | 'currentTime' | 'duration' | 'isPlaying'>,
): number | null {
  const { currentTrack, crossfadeSeconds, duration, currentTime } = state;
  const next = state.queue[state.currentTrackIndex + 1];
  const left = duration - currentTime;
  const isWanted =
    crossfadeSeconds > 0 &&
    state.isPlaying &&
    state.isSubscriber &&
    currentTrack?.access === 'full' &&
    next?.access === 'full' &&
    state.sleepTimer?.kind !== 'end-of-track';
  // The track must be long enough to play between its two fades.
  const isDue = left > 0 && left <= crossfadeSeconds && duration >= 3 * crossfadeSeconds;
  return isWanted && isDue ? left : null;
}

/** Equal power: the mix is as loud in the middle as at the ends. */
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
  /** The outgoing file is unloaded, and the incoming one has the full volume. */
  onFinish(): void;
};

export type Fade = ReturnType<typeof createFade>;

/** A fade waits for the incoming file to sound, then turns one file up and the other down. */
export function createFade({ incoming, outgoing, seconds, clock, volume, onFinish }: FadeOptions) {
  let phase: 'waiting' | { startedAt: number } | 'finished' = 'waiting';
  let cancelStep: (() => void) | null = null;

  const progress = (): number =>
    typeof phase === 'object' ? (clock.now() - phase.startedAt) / (seconds * SECOND) : 0;

  function apply(): void {
    const gains = fadeGains(progress());
    incoming.setVolume(volume() * gains.incoming);
    outgoing.setVolume(volume() * gains.outgoing);
  }

  function step(): void {
    if (progress() >= 1) return finish();
    apply();
    cancelStep = clock.after(STEP_MS, step);
  }

  function cancel(): void {
    phase = 'finished';
    cancelStep?.();
  }

  function finish(): void {
    if (phase === 'finished') return;
    cancel();
    outgoing.unload();
    incoming.setVolume(volume());
    onFinish();
  }

  apply();
  return {
    apply,
    /** The incoming file sounds: only now may the outgoing one get quieter. */
    begin(): void {
      if (phase !== 'waiting') return;
      phase = { startedAt: clock.now() };
      step();
    },
    finish,
    /** Stops fading and leaves both files as they are. */
    cancel,
  };
}

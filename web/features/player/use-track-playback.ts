import { useEffect, useRef, type PointerEvent } from 'react';
import type { Track } from '#contract/tracks.ts';
import { usePlayer, usePlayerState } from '#web/player/use-player.ts';

/** Plays a track from a page: pressing again pauses it, and its list becomes the queue. */
export function useTrackPlayback(track: Track, queue: readonly Track[]) {
  const player = usePlayer();
  const isCurrent = usePlayerState((state) => state.currentTrack?.id === track.id);
  const isActive = usePlayerState(
    (state) => state.currentTrack?.id === track.id && (state.isPlaying || state.isStarting),
  );

  function start(): void {
    const index = queue.findIndex((queued) => queued.id === track.id);
    if (index === -1) player.playTracks([track]);
    else player.playTracks(queue, index);
  }

  return {
    isCurrent,
    isActive,
    toggle: () => (isCurrent ? player.togglePlay() : start()),
    /** Plays from a second of the file, whether it is loaded yet or not. */
    playFrom(seconds: number): void {
      if (!isCurrent) start();
      player.seek(seconds);
      player.play();
    },
  };
}

/** A pointer or a focus that only passes by doesn't mean the user wants to play. */
const REST_MS = 80;

/** Loads the beginning of the track that is hovered or focused. */
export function useWarmUp(track: Track) {
  const player = usePlayer();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const leave = () => clearTimeout(timer.current);
  useEffect(() => () => clearTimeout(timer.current), []);
  const rest = () => {
    leave();
    timer.current = setTimeout(() => player.warmUp(track), REST_MS);
  };
  return {
    // A touch may just as well start a scroll.
    onPointerEnter: (event: PointerEvent) => event.pointerType !== 'touch' && rest(),
    onPointerLeave: leave,
    onFocus: rest,
    onBlur: leave,
  };
}

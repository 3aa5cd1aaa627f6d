import { useEffect, useRef, type PointerEvent } from 'react';
import type { Track } from '#contract/tracks.ts';
import type { Player } from '#web/player/create-player.ts';
import { findUpNextEnd } from '#web/player/machine/queue.ts';
import { usePlayer, usePlayerState } from '#web/player/use-player.ts';

/** Plays a list from one of its tracks. It replaces the queue; what was queued can be put back. */
export function playTracksFrom(
  player: Pick<Player, 'store' | 'playTracks' | 'addToQueue'>,
  list: { tracks: readonly Track[]; source: string; startIndex?: number },
): void {
  const before = player.store.get();
  player.playTracks(list.tracks, list.startIndex, list.source);
  const isReplaced = player.store.get().queue !== before.queue;
  if (isReplaced && findUpNextEnd(before) > before.currentTrackIndex + 1)
    import('./offer-put-back.ts').then(
      ({ offerPutBack }) => offerPutBack(player, before),
      () => undefined,
    );
}

/**
 * Plays a track from a page: pressing again pauses it, and its list becomes the queue. `source`
 * names the list.
 */
export function useTrackPlayback(
  track: Track,
  getQueue: () => readonly Track[],
  source = track.title,
) {
  const player = usePlayer();
  // One value, because long lists have a row per track.
  const state = usePlayerState(({ currentTrack, isPlaying, isStarting }) => {
    if (currentTrack?.id !== track.id) return 'other';
    return isPlaying || isStarting ? 'active' : 'current';
  });
  const isCurrent = state !== 'other';

  function start(): void {
    const queue = getQueue();
    const index = queue.findIndex((queued) => queued.id === track.id);
    if (index === -1) playTracksFrom(player, { tracks: [track], source: track.title });
    else playTracksFrom(player, { tracks: queue, source, startIndex: index });
  }

  return {
    isCurrent,
    isActive: state === 'active',
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

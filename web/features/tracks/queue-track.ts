import type { Track } from '#contract/tracks.ts';
import { showToast } from '#web/lib/toasts.ts';
import type { Player } from '#web/player/create-player.ts';
import { usePlayer } from '#web/player/use-player.ts';

type Queueing = Pick<Player, 'store' | 'addToQueue' | 'playNext' | 'setTrack' | 'pause'>;

/**
 * People reach the queue through the player bar, which only shows with a current track. So with
 * nothing playing, the first queued track becomes the current one, paused.
 */
export function queueTrack(player: Queueing, track: Track, put: 'addToQueue' | 'playNext'): void {
  if (player.store.get().currentTrack) return player[put](track);
  player.setTrack(track);
  // Pause, so that nothing starts playing if this file fails to load and the next one loads.
  player.pause();
}

/** Adds a track to the end of the queue and shows a toast. */
export function useAddToQueue(): (track: Track) => void {
  const player = usePlayer();
  return (track) => {
    const isQueued = player.store.get().queue.some((queued) => queued.id === track.id);
    queueTrack(player, track, 'addToQueue');
    showToast({
      title: isQueued ? 'Already in the queue' : 'Added to the queue',
      description: track.title,
    });
  };
}

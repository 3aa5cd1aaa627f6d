import type { Track } from '#contract/tracks.ts';
import { showToast } from '#web/lib/store/toasts.ts';
import type { Player } from '#web/player/create-player.ts';
import type { PlayerState } from '#web/player/store.ts';
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

/** Queues a track, or moves it if it is queued already, and shows a toast. */
export function useQueueTrack(put: 'addToQueue' | 'playNext'): (track: Track) => void {
  const player = usePlayer();
  return (track) => {
    const title = describeQueueing(player.store.get(), track, put);
    queueTrack(player, track, put);
    showToast({ title, description: track.title });
  };
}

function describeQueueing(
  { queue, currentTrackIndex }: Pick<PlayerState, 'queue' | 'currentTrackIndex'>,
  { id }: Track,
  put: 'addToQueue' | 'playNext',
): string {
  if (queue[currentTrackIndex]?.id === id) return 'Already playing';
  if (put === 'playNext') return 'Playing next';
  return queue.some((queued) => queued.id === id) ? 'Moved to Up next' : 'Added to the queue';
}

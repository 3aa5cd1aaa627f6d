import type { Track } from '#contract/tracks.ts';
import { showToast } from '#web/lib/toasts.ts';
import { usePlayer } from '#web/player/use-player.ts';
import { queueTrack } from './queue-track.ts';

/** Puts a track at the end of the queue and says so. */
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

import type { Track } from '#contract/tracks.ts';
import type { Player } from '#web/player/create-player.ts';

type Queueing = Pick<Player, 'store' | 'addToQueue' | 'playNext' | 'setTrack' | 'pause'>;

/**
 * Only the bar leads to the queue, and it stands there for a current track: with none, the first one
 * that is queued becomes it, in silence.
 */
export function queueTrack(player: Queueing, track: Track, put: 'addToQueue' | 'playNext'): void {
  if (player.store.get().currentTrack) return player[put](track);
  player.setTrack(track);
  // Nobody has asked for sound: should this file fail, the next one waits as well.
  player.pause();
}

import type { Track } from '#contract/tracks.ts';
import { call } from '#web/lib/api/api.ts';
import { popCheckoutHandoff } from '#web/player/session/checkout-handoff.ts';
import type { Player } from '#web/player/create-player.ts';
import { playOnceFull } from '#web/player/session/play-once-full.ts';
import { tryOrUndefined, type KeyValueStorage } from '#web/player/session/persistence.ts';
import { positionInTrack } from '#web/player/preview-limit.ts';
import { findOutdated } from '#web/player/machine/queue.ts';
import { createTrackRefresher } from '#web/boot/track-refresher.ts';

export type ResumedTrack = {
  trackId: string;
  /** The second of the track where it continues. */
  position: number;
};

type ResumablePlayer = Pick<Player, 'store' | 'close' | 'restore' | 'refreshTrack' | 'play'>;
type Ports = {
  storage: KeyValueStorage;
  now: number;
  fetchTrack(id: string): Promise<Track>;
};

const browserPorts = (): Ports => ({
  storage: sessionStorage,
  now: Date.now(),
  fetchTrack: (id) => call('GET /api/tracks/:id', { params: { id } }),
});

/**
 * Continues what this tab played before the user left to pay, now that they have access: the full
 * file of the same track, at the same position. Anything that already plays is left alone.
 */
export function resumeCheckoutHandoff(
  player: ResumablePlayer,
  owner: string,
  ports: Ports | undefined = tryOrUndefined(browserPorts),
): ResumedTrack | null {
  const handoff = ports && popCheckoutHandoff(ports.storage, owner, ports.now);
  const { isPlaying, isStarting } = player.store.get();
  const track = handoff?.player.currentTrack;
  if (!handoff || !track || isPlaying || isStarting) return null;
  const { movedAt: _, ...visit } = handoff.player;
  // The player may have another file loaded.
  player.close();
  player.restore(visit);
  createTrackRefresher({
    fetchTrack: ports.fetchTrack,
    deliver: player.refreshTrack,
    log: (message, cause) => console.warn(message, cause),
  })(findOutdated(player.store.get(), 'full'));
  if (handoff.isInterrupted) playOnceFull(player, track.id);
  return { trackId: track.id, position: positionInTrack(track, visit.currentTime) };
}

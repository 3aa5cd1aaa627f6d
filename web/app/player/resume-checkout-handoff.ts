import type { Track } from '#contract/tracks.ts';
import { call } from '#web/lib/api.ts';
import { popCheckoutHandoff } from '#web/player/checkout-handoff.ts';
import type { Player } from '#web/player/create-player.ts';
import { tryOrUndefined, type KeyValueStorage } from '#web/player/persistence.ts';
import { positionInTrack } from '#web/player/preview-limit.ts';
import { findOutdated } from '#web/player/machine/queue.ts';
import { createTrackRefresher } from './track-refresher.ts';

export type ResumedTrack = {
  trackId: string;
  /** The second of the mix where it goes on. */
  position: number;
};

type Heard = Pick<Player, 'store' | 'close' | 'restore' | 'refreshTrack' | 'play'>;
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
 * Takes up what this tab listened to before it left to pay, now that the listener has access: the
 * full file of the same track at the same second of the mix. What already plays is left alone.
 */
export function resumeCheckoutHandoff(
  player: Heard,
  owner: string,
  ports: Ports | undefined = tryOrUndefined(browserPorts),
): ResumedTrack | null {
  const carried = ports && popCheckoutHandoff(ports.storage, owner, ports.now);
  const { isPlaying, isStarting } = player.store.get();
  const track = carried?.player.currentTrack;
  if (!carried || !track || isPlaying || isStarting) return null;
  const { movedAt: _, ...kept } = carried.player;
  // Whatever the player has loaded is another file.
  player.close();
  player.restore(kept);
  createTrackRefresher({
    fetchTrack: ports.fetchTrack,
    deliver: player.refreshTrack,
    log: (message, cause) => console.warn(message, cause),
  })(findOutdated(player.store.get(), 'full'));
  if (carried.isInterrupted) playOnceFull(player, track.id);
  return { trackId: track.id, position: positionInTrack(track, kept.currentTime) };
}

/** The browser may still want a gesture; then the player rests at that second. */
function playOnceFull({ store, play }: Heard, trackId: string): void {
  const look = () => {
    const { currentTrack, isSubscriber } = store.get();
    const isOther = currentTrack?.id !== trackId;
    const isFull = isSubscriber && currentTrack?.access === 'full';
    if (!isOther && !isFull) return;
    unsubscribe();
    // At once: a track that rests would be moved to where another device stopped.
    if (isFull) play();
  };
  const unsubscribe = store.subscribe(look);
  look();
}

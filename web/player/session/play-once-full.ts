import type { Player } from '#web/player/create-player.ts';
import { selectIsPreviewEnded } from '#web/player/preview-limit.ts';

type Playable = Pick<Player, 'store' | 'play'>;

/** The browser may still want a gesture; then the player stays paused at that second. */
export function playOnceFull({ store, play }: Playable, trackId: string): void {
  const check = () => {
    const { currentTrack, isSubscriber } = store.get();
    const isOther = currentTrack?.id !== trackId;
    const isFull = isSubscriber && currentTrack?.access === 'full';
    if (!isOther && !isFull) return;
    unsubscribe();
    // Immediately: a paused track would move to where another device stopped.
    if (isFull) play();
  };
  const unsubscribe = store.subscribe(check);
  check();
}

/** A preview of this track has ended, and its listener has just got the whole track: it continues there. */
export function continuePreview(player: Playable, trackId: string): void {
  const state = player.store.get();
  if (state.currentTrack?.id === trackId && selectIsPreviewEnded(state))
    playOnceFull(player, trackId);
}

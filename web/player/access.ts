import type { Track } from '#contract/tracks.ts';
import type { Deck } from './deck.ts';
import { pickFile, positionInMix, timeInFile } from './preview-limit.ts';
import type { Session } from './session.ts';
import { patchState, SILENT, type PlayerStore } from './store.ts';

type AccessOptions = {
  store: PlayerStore;
  deck: Deck;
  session: Session;
  play(): void;
  rest(): void;
  stopAtPreviewLimit(time: number): boolean;
};

/** What happens to the current track when the listener's access to it changes. */
export function createAccess({ store, deck, session, ...transport }: AccessOptions) {
  /** The same moment of the mix goes on in another file. */
  function switchFile(fresh: Track): void {
    const { currentTrack, currentTime, isDataSaver, isPlaying, isStarting } = store.get();
    if (!currentTrack) return;
    const wasAsked = isPlaying || isStarting || session.isAwaitingAccess;
    const time = timeInFile(fresh, positionInMix(currentTrack, currentTime));
    const wasLoaded = deck.isLoaded();
    transport.rest();
    Object.assign(session, { isPinned: false, isAwaitingAccess: false, freshCopy: null });
    if (wasLoaded) deck.load(pickFile(fresh, isDataSaver), time);
    patchState(store, {
      ...SILENT,
      currentTrack: fresh,
      isLoading: wasLoaded,
      currentTime: time,
      duration: fresh.duration,
    });
    if (wasAsked && fresh.access === 'full') transport.play();
  }

  return {
    /** The current track as the server sees it now. */
    adopt(fresh: Track): void {
      const { currentTrack, isSubscriber } = store.get();
      if (currentTrack?.id !== fresh.id) return;
      if (fresh.access === currentTrack.access) patchState(store, { currentTrack: fresh });
      else if (fresh.access === 'full' && !isSubscriber) session.freshCopy = fresh;
      else switchFile(fresh);
    },
    /** The listener's status has changed: go on with what was held back, or stop where it ends. */
    applyAccess(): void {
      const { currentTrack, currentTime, isSubscriber, isPlaying, isStarting } = store.get();
      if (!currentTrack) return;
      if (!isSubscriber) {
        if (isPlaying || isStarting) transport.stopAtPreviewLimit(currentTime);
        return;
      }
      session.isPinned = false;
      if (session.freshCopy) switchFile(session.freshCopy);
    },
  };
}

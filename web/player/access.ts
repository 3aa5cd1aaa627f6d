import { PREVIEW_SECONDS } from '#contract/rules/preview.ts';
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
  /** Goes on with what waits for a newer copy of its track. */
  resume(): void;
  stopAtPreviewLimit(time: number): boolean;
};

/** What happens to the current track when the listener's access to it changes. */
export function createAccess({ store, deck, session, ...transport }: AccessOptions) {
  /** The same moment of the mix goes on in another file. */
  function switchFile(fresh: Track): void {
    const { currentTrack, currentTime, isDataSaver, isPlaying, isStarting } = store.get();
    if (!currentTrack) return;
    const wasAsked = isPlaying || isStarting || session.isAwaitingAccess;
    const isPinned = session.isPinned && fresh.access === 'preview';
    const time = isPinned
      ? PREVIEW_SECONDS
      : timeInFile(fresh, positionInMix(currentTrack, currentTime));
    const wasLoaded = deck.isLoaded();
    transport.rest();
    Object.assign(session, {
      isPinned,
      retriedAt: null,
      isAwaitingAccess: false,
      isAwaitingCopy: false,
      freshCopy: null,
    });
    if (wasLoaded) deck.load(pickFile(fresh, isDataSaver), isPinned ? 0 : time);
    patchState(store, {
      ...SILENT,
      currentTrack: fresh,
      isLoading: wasLoaded,
      currentTime: time,
      duration: fresh.duration,
    });
    if (wasAsked) transport.play();
  }

  return {
    /** The current track as the server sees it now. */
    adopt(fresh: Track): void {
      const { currentTrack, isSubscriber } = store.get();
      if (currentTrack?.id !== fresh.id) return;
      const isKnownFirst =
        fresh.access === 'full' ? !isSubscriber : isSubscriber && session.isAwaitingCopy;
      if (fresh.access === currentTrack.access) {
        patchState(store, { currentTrack: fresh });
        transport.resume();
      } else if (isKnownFirst) session.freshCopy = fresh;
      else switchFile(fresh);
    },
    /** The listener's status has changed: go on with what was held back, or stop where it ends. */
    applyAccess(): void {
      const { currentTrack, currentTime, isSubscriber, isPlaying, isStarting } = store.get();
      if (!currentTrack) return;
      if (isSubscriber) session.isPinned = false;
      else if (isPlaying || isStarting) transport.stopAtPreviewLimit(currentTime);
      const { freshCopy } = session;
      if (freshCopy?.access === (isSubscriber ? 'full' : 'preview')) switchFile(freshCopy);
    },
  };
}

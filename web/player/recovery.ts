import type { Track } from '#contract/tracks.ts';
import type { Clock } from './clock.ts';
import type { Deck } from './deck.ts';
import type { Session } from './session.ts';
import { currentPlace, noteSpot, returnToSpot, type Spot } from './spot.ts';
import { patchState, SILENT, type PlayerStore } from './store.ts';

/** A file that fails here again is broken here. */
const SAME_PLACE_SECONDS = 5;
export const COPY_WAIT_MS = 5000;

export type RecoveryPorts = {
  isOnline(): boolean;
  /** Nothing can be loaded: the player waits where it was until the listener tries again. */
  announceHalt(): void;
};

type Options = RecoveryPorts & {
  store: PlayerStore;
  deck: Deck;
  session: Session;
  clock: Clock;
  play(): void;
  rest(): void;
  hasNext(): boolean;
  goOn(): void;
  requestFreshTracks(tracks: readonly Track[]): void;
};

/** Tells a broken file, which is skipped, from a lost connection, which must not cost the queue. */
export function createRecovery(options: Options) {
  const { store, deck, session, clock, play, rest, hasNext, goOn } = options;
  /** Where a row of files began that failed one after the other without a sound. */
  let origin: Spot | null = null;
  let cancelWait: (() => void) | null = null;

  /** The place stays; the next play loads the file again. */
  function letGo(): void {
    const { currentTime } = store.get();
    rest();
    deck.unload();
    const time = currentTime || session.startAt;
    patchState(store, { ...SILENT, isLoading: false, currentTime: time });
  }

  function halt(): void {
    letGo();
    if (origin) returnToSpot(store, session, origin);
    origin = null;
    options.announceHalt();
  }

  function retry(track: Track): void {
    session.retriedAt = currentPlace(store.get(), session);
    letGo();
    if (session.isHeld) return;
    if (track.access === 'preview') return play();
    // The file may have another address by now, or not be theirs any more.
    session.isAwaitingCopy = true;
    patchState(store, { isStarting: true });
    cancelWait?.();
    cancelWait = clock.after(COPY_WAIT_MS, resume);
    options.requestFreshTracks([track]);
  }

  function resume(): void {
    cancelWait?.();
    cancelWait = null;
    if (!session.isAwaitingCopy) return;
    session.isAwaitingCopy = false;
    if (!session.isHeld) play();
  }

  function skip(): void {
    if (origin && !hasNext()) return halt();
    origin ??= noteSpot(store.get(), session);
    goOn();
  }

  const hasFailedHere = (): boolean =>
    session.retriedAt !== null &&
    Math.abs(store.get().currentTime - session.retriedAt) < SAME_PLACE_SECONDS;

  return {
    resume,
    /** The file reports an error. What has sounded before gets a second chance. */
    receiveError(track: Track): void {
      if (!options.isOnline()) halt();
      else if (session.hasStarted && !hasFailedHere()) retry(track);
      else skip();
    },
    /** The device cannot start the file. */
    receiveFailure(): void {
      if (!options.isOnline()) halt();
      else if (origin || hasNext()) skip();
    },
    /** Something sounds, or the listener has turned to something else. */
    forgetOrigin(): void {
      origin = null;
    },
    dispose: () => cancelWait?.(),
  };
}

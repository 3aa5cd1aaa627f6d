import type { Track } from '#contract/tracks.ts';
import { createDeck, type DeckOptions } from './audio/deck.ts';
import { createListeningEvents } from './session/listening-events.ts';
import type {
  Effect,
  Environment,
  MachineEvent,
  PlaybackFailure,
  SavedVisit,
} from './machine/events.ts';
import type { Queue } from './machine/queue.ts';
import { initialMachineState, type MachineState } from './machine/state.ts';
import { transition } from './machine/transition.ts';
import { resolveSleepChoice, type SleepChoice } from './session/sleep-timer.ts';
import { createPlayerStore, publishState } from './store.ts';

/** How long a failed file waits for a fresh copy of its track. */
export const COPY_TIMEOUT_MS = 5000;

/** What the engine needs from the browser. */
export type EnginePorts = Omit<DeckOptions, 'onEvent'> &
  Pick<Environment, 'isOnline'> & {
    log(message: string, cause?: unknown): void;
    /** A free user has reached the end of the preview. */
    announcePreviewEnd(track: Track): void;
  };

type EngineOptions = EnginePorts &
  Pick<Environment, 'resumeAt'> & {
    /** The player's copies of these tracks are out of date: fetch them again for `refreshTrack`. */
    requestFreshTracks(tracks: readonly Track[], hasFailed?: true): void;
    announceFailure(failure: PlaybackFailure): void;
  };

export type Engine = ReturnType<typeof createEngine>;

/**
 * Runs the player's state machine: commands and audio events go in, the new state is published, and
 * the effects of the transition reach the output. What they mean is the specification's section 4.
 */
export function createEngine(options: EngineOptions) {
  const store = createPlayerStore();
  const listeningEvents = createListeningEvents();
  const deck = createDeck({ ...options, onEvent: dispatch });
  const environment: Environment = { ...options, canCrossfade: deck.canCrossfade };
  const waiting: MachineEvent[] = [];
  let state: MachineState = initialMachineState;
  let isDispatching = false;
  let cancelCopyTimeout: (() => void) | null = null;
  deck.setVolume(state.volume);

  /** An event that arrives during a transition waits until that transition is complete. */
  function dispatch(event: MachineEvent): void {
    waiting.push(event);
    if (isDispatching) return;
    isDispatching = true;
    try {
      for (let next = waiting.shift(); next; next = waiting.shift()) handle(next);
    } finally {
      waiting.length = 0;
      isDispatching = false;
    }
  }

  function handle(event: MachineEvent): void {
    const { state: next, effects } = transition(state, event, environment);
    state = next;
    publishState(store, state);
    for (const effect of effects) run(effect);
    updateCopyTimeout();
  }

  function run(effect: Effect): void {
    switch (effect.type) {
      case 'load':
        return deck.load(effect.url, effect.startAt);
      case 'prepare':
        return deck.prepare(effect.url);
      case 'crossfade':
        return deck.crossfadeTo(effect.url, effect.seconds);
      case 'unload':
        return deck.unload();
      case 'play':
        return deck.play();
      case 'pause':
        return deck.pause();
      case 'seek':
        return deck.seek(effect.seconds);
      case 'setVolume':
        return deck.setVolume(effect.volume);
      case 'report':
        return listeningEvents.emit(effect.event);
      case 'announcePreviewEnd':
        return options.announcePreviewEnd(effect.track);
      case 'announceFailure':
        return options.announceFailure(effect.failure);
      case 'requestFreshTracks':
        return options.requestFreshTracks(effect.tracks, effect.hasFailed);
      case 'log':
        return options.log(effect.message, effect.cause);
    }
  }

  /** The timer belongs to one state: it starts and ends with it. */
  function updateCopyTimeout(): void {
    const isRecovering = state.playback.status === 'recovering';
    if (isRecovering)
      cancelCopyTimeout ??= options.clock.after(COPY_TIMEOUT_MS, () => {
        cancelCopyTimeout = null;
        dispatch({ type: 'copyTimedOut' });
      });
    else {
      cancelCopyTimeout?.();
      cancelCopyTimeout = null;
    }
  }

  return {
    store,
    listeningEvents,

    setTrack: (track: Track) => dispatch({ type: 'setTrack', track }),
    play: () => dispatch({ type: 'play' }),
    pause: () => dispatch({ type: 'pause' }),
    stop: () => dispatch({ type: 'stop' }),
    togglePlay: () => dispatch({ type: 'togglePlay' }),
    /** Files can be loaded again: continues where nothing could be loaded. */
    retryFailed: () => dispatch({ type: 'retryFailed' }),
    seek: (seconds: number) => dispatch({ type: 'seek', seconds }),
    skipToNext: () => dispatch({ type: 'skipToNext' }),
    skipToPrevious: () => dispatch({ type: 'skipToPrevious' }),
    /** Stops playback and clears the current track and the queue. */
    close: () => dispatch({ type: 'close' }),

    /** `source` names the list, for what comes after the tracks that the listener queues. */
    playTracks: (tracks: readonly Track[], startIndex = 0, source: string | null = null) =>
      dispatch({ type: 'playTracks', tracks, startIndex, source }),
    playTrackAt: (index: number) => dispatch({ type: 'playTrackAt', index }),
    addToQueue: (track: Track) => dispatch({ type: 'addToQueue', track }),
    playNext: (track: Track) => dispatch({ type: 'playNext', track }),
    removeFromQueue: (index: number) => dispatch({ type: 'removeFromQueue', index }),
    /** Applies one of the edits in `machine/queue-edits.ts`. */
    editQueue: (edit: (queue: Queue, currentTrack: Track) => Queue) =>
      dispatch({ type: 'editQueue', edit }),
    setQueue: (tracks: readonly Track[]) => dispatch({ type: 'setQueue', tracks }),
    /** Empties the queue; the current track keeps playing. */
    clear: () => dispatch({ type: 'clear' }),

    setVolume: (volume: number) => dispatch({ type: 'setVolume', volume }),
    mute: () => dispatch({ type: 'mute' }),
    unmute: () => dispatch({ type: 'unmute' }),
    toggleMute: () => dispatch({ type: 'toggleMute' }),

    setSubscriber: (isSubscriber: boolean) => dispatch({ type: 'setSubscriber', isSubscriber }),
    /** A newer copy of a track: its file and access as the server has them now. */
    refreshTrack: (track: Track) => dispatch({ type: 'refreshTrack', track }),

    toggleQueue: () => dispatch({ type: 'toggleQueue' }),
    toggleExpanded: () => dispatch({ type: 'toggleExpanded' }),
    setCrossfade: (seconds: number) => dispatch({ type: 'setCrossfade', seconds }),
    /** Applies to the next file that is loaded. */
    setDataSaver: (isDataSaver: boolean) => dispatch({ type: 'setDataSaver', isDataSaver }),
    setSleepTimer: (choice: SleepChoice) =>
      dispatch({
        type: 'setSleepTimer',
        sleepTimer: resolveSleepChoice(choice, options.clock.now()),
      }),

    /** Restores what an earlier visit saved, silently; pressing play loads the file. */
    restore: (visit: Partial<SavedVisit>) => dispatch({ type: 'restore', visit }),
    /** Loads the beginning of a track in case it is played next. */
    prepare: (track: Track) => dispatch({ type: 'prepare', track }),
    /** For `casting.ts`. */
    casting: {
      listCastable: deck.listCastable,
      findCastable: deck.findCastable,
      setCasting: deck.setCasting,
    },
    /** False for a track that an earlier visit left. */
    isLoaded: () => deck.isLoaded(),
    dispose(): void {
      cancelCopyTimeout?.();
      deck.dispose();
    },
  };
}

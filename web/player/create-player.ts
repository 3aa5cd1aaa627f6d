import type { Track } from '#contract/tracks.ts';
import type { AudioOutput } from './audio-output.ts';
import type { Clock } from './clock.ts';
import { createEngine, type Engine } from './engine.ts';
import type { MediaSessionPorts } from './media-session.ts';
import { createDeviceSync } from './other-devices.ts';
import { createPersistence, type KeyValueStorage } from './persistence.ts';
import { createPlayReports, type PlayReportPorts } from './play-reports.ts';
import { createPreloader } from './preload.ts';
import { saveResumePositions, resumeAt, type ResumePositions } from './resume-positions.ts';
import { findOutdated } from './machine/queue.ts';
import { watchSleepTimer } from './sleep-timer.ts';
import { keepOneTabPlaying, type TabsChannel } from './tabs.ts';

/** What the application gives the player. */
export type PlayerCallbacks = PlayReportPorts & {
  /** Fetch these tracks again, the first one first, and hand each to `refreshTrack`. */
  requestFreshTracks(tracks: readonly Track[]): void;
};

/** What the browser gives the player. Null where it has none. */
export type PlayerPorts = {
  output: AudioOutput;
  spare: AudioOutput | null;
  clock: Clock;
  storage: KeyValueStorage | null;
  positions: ResumePositions;
  tabs: { channel: TabsChannel; tab: string } | null;
  mediaSession: MediaSessionPorts | null;
  /** The device asks every page to save data. */
  savesData(): boolean;
  isOnline(): boolean;
  /** Nothing can be loaded, and the player waits where it was. */
  announceHalt(): void;
  announcePreviewEnd(track: Track): void;
  /** Calls back when the page is about to go. */
  onLeave(listener: () => void): () => void;
  /** Calls back when another tab has forgotten the visit. */
  onForgotten(listener: () => void): () => void;
  /** Calls back when the listener comes back to the page. */
  onReturn(listener: () => void): () => void;
  log(message: string, cause?: unknown): void;
};

export type Player = ReturnType<typeof createPlayer>;

/** The engine with everything that listens to it: made together, disposed of together. */
export function createPlayer(ports: PlayerPorts, callbacks: PlayerCallbacks) {
  const { clock, log, positions } = ports;
  const engine = createEngine({
    ...ports,
    requestFreshTracks: callbacks.requestFreshTracks,
    resumeAt: (track) => resumeAt(track, positions.read(track.id)),
  });
  const { store, listeningEvents, pause } = engine;

  const follower = createDeviceSync(engine, clock);
  const persistence =
    ports.storage && createPersistence(store, ports.storage, clock, follower.movedAt);
  const kept = persistence?.read();
  if (kept) {
    const { movedAt, ...state } = kept;
    engine.restore(state);
    persistence?.settle();
    follower.noteRestored(movedAt);
    // Addresses and access may have changed since; by then the caller holds the player.
    const tracks = findOutdated(kept, null);
    if (tracks.length > 0) queueMicrotask(() => callbacks.requestFreshTracks(tracks));
  }

  const reports = createPlayReports({ ...callbacks, listeningEvents, clock, log });
  const preloader = createPreloader({ ...ports, ...engine });
  const owned = [
    saveResumePositions(listeningEvents, positions, clock),
    follower.dispose,
    ports.onReturn(askWhereOthersStopped),
    ports.onForgotten(leaveNothing),
    ports.tabs ? keepOneTabPlaying({ ...ports.tabs, store, clock, pause }) : null,
    ports.mediaSession && connectDeviceControls(engine, ports.mediaSession),
    ports.onLeave(flush),
    preloader.dispose,
    watchSleepTimer(engine, clock),
    reports.dispose,
    persistence?.dispose,
    engine.dispose,
  ];

  /** The listener may have gone on elsewhere while this page rested. */
  function askWhereOthersStopped(): void {
    const { currentTrack, isPlaying, isStarting } = store.get();
    if (currentTrack?.access === 'full' && !isPlaying && !isStarting)
      callbacks.requestFreshTracks([currentTrack]);
  }

  /** Removes from this machine what was kept for the next visit. */
  function forgetVisit(): void {
    engine.setSleepTimer(null);
    persistence?.erase();
    positions.erase();
  }

  /** Somebody has logged out elsewhere: what plays here was theirs, too. */
  function leaveNothing(): void {
    engine.close();
    engine.clear();
    forgetVisit();
  }

  function flush(): void {
    reports.flush();
    persistence?.flush();
  }

  return {
    ...engine,
    setSubscriber(isSubscriber: boolean): void {
      engine.setSubscriber(isSubscriber);
      follower.follow();
    },
    refreshTrack(fresh: Track): void {
      engine.refreshTrack(fresh);
      follower.follow();
    },
    /** Has the beginning of a track at hand that is likely to be played, unless data is to be saved. */
    warmUp: preloader.warmUp,
    forgetVisit,
    dispose(): void {
      flush();
      for (const dispose of owned) dispose?.();
    },
  };
}

/** The device's own controls, loaded with the first sound: before it no device shows any. */
export function connectDeviceControls(engine: Engine, ports: MediaSessionPorts): () => void {
  let isOver = false;
  let disconnect = (): void => {};
  const unsubscribe = engine.listeningEvents.subscribe(({ type }) => {
    if (type !== 'started') return;
    unsubscribe();
    import('./media-session.ts').then(
      ({ connectMediaSession }) => {
        if (!isOver) disconnect = connectMediaSession(engine, ports);
      },
      // Playing needs no controls of the device; the next visit tries again.
      () => {},
    );
  });
  return () => {
    isOver = true;
    unsubscribe();
    disconnect();
  };
}

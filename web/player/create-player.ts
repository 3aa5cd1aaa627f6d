import type { Track } from '#contract/tracks.ts';
import { createEngine, type Engine, type EnginePorts } from './engine.ts';
import type { PlaybackFailure, SavedVisit } from './machine/events.ts';
import { readDataSaverChoice } from './session/data-saver.ts';
import type { MediaSessionPorts } from './session/media-session.ts';
import {
  watchOtherDevices,
  saveResumePositions,
  resumeAt,
  type ResumePositions,
} from './session/resume-positions.ts';
import { createPersistence, type KeyValueStorage } from './session/persistence.ts';
import { createPlayReports, type PlayReportPorts } from './session/play-reports.ts';
import { createPreloader } from './audio/preload.ts';
import { findOutdated } from './machine/queue.ts';
import { watchSleepTimer } from './session/sleep-timer.ts';
import { pauseOtherTabs, type TabsChannel } from './session/tabs.ts';

/** What the application provides. */
export type PlayerCallbacks = PlayReportPorts & {
  /** Fetches these tracks again in this order and passes each to `refreshTrack`. */
  requestFreshTracks(tracks: readonly Track[], hasFailed?: true): void;
  announceFailure(failure: PlaybackFailure): void;
};

/** What the browser provides; null if it doesn't. */
export type PlayerPorts = EnginePorts & {
  storage: KeyValueStorage | null;
  positions: ResumePositions;
  tabs: { channel: TabsChannel; tab: string } | null;
  mediaSession: MediaSessionPorts | null;
  /** The line is mobile, or the device asks pages to save data. */
  shouldSaveData(): boolean;
  /** Calls back when that may have changed. */
  onLineChange(callback: () => void): () => void;
  /** Calls back before the page is closed. */
  onLeave(callback: () => void): () => void;
  /** Calls back when another tab deletes the saved visit. */
  onVisitDeleted(callback: () => void): () => void;
  /** Calls back when the page becomes visible again. */
  onReturn(callback: () => void): () => void;
};

export type Player = ReturnType<typeof createPlayer>;

/** The engine with everything that subscribes to it: created together, disposed of together. */
export function createPlayer(ports: PlayerPorts, callbacks: PlayerCallbacks) {
  const { clock, log, positions } = ports;
  const engine = createEngine({
    ...ports,
    requestFreshTracks: callbacks.requestFreshTracks,
    announceFailure: callbacks.announceFailure,
    resumeAt: (track) => resumeAt(track, positions.find(track.id)),
  });
  const { store, listeningEvents, pause } = engine;

  const otherDevices = watchOtherDevices(engine, clock);
  const persistence =
    ports.storage && createPersistence(store, ports.storage, clock, otherDevices.movedAt);
  const saved = persistence?.load();
  if (saved) {
    const { movedAt, ...visit } = saved;
    engine.restore(visit);
    persistence?.markSaved();
    otherDevices.setMovedAt(movedAt);
    // File URLs and access may have changed since. The caller has the player by then.
    const tracks = findOutdated(saved, null);
    if (tracks.length > 0) queueMicrotask(() => callbacks.requestFreshTracks(tracks));
  }

  updateDataSaver();
  const reports = createPlayReports({ ...callbacks, listeningEvents, clock, log });
  const preloader = createPreloader({ ...ports, ...engine });
  const owned = [
    saveResumePositions(listeningEvents, positions, clock),
    otherDevices.dispose,
    ports.onReturn(refreshPausedTrack),
    ports.onVisitDeleted(closeAndForget),
    ports.tabs ? pauseOtherTabs({ ...ports.tabs, store, clock, pause }) : null,
    ports.mediaSession && connectMediaSessionLater(engine, ports.mediaSession),
    ports.onLeave(flush),
    ports.onLineChange(() => updateDataSaver()),
    preloader.dispose,
    watchSleepTimer(engine, clock),
    reports.dispose,
    persistence?.dispose,
    engine.dispose,
  ];

  /** Whoever has chosen decides, whatever the line is. The choice may be one that can’t be stored. */
  function updateDataSaver(choice = readDataSaverChoice(ports.storage)): void {
    engine.setDataSaver(choice === 'always' || (choice !== 'never' && ports.shouldSaveData()));
  }

  /** The user may have listened on another device while this page was in the background. */
  function refreshPausedTrack(): void {
    const { currentTrack, isPlaying, isStarting } = store.get();
    if (currentTrack?.access === 'full' && !isPlaying && !isStarting)
      callbacks.requestFreshTracks([currentTrack]);
  }

  /** Deletes what was saved on this device for the next visit. */
  function forgetVisit(): void {
    engine.setSleepTimer(null);
    persistence?.clear();
    positions.clear();
  }

  /** The user logged out in another tab, so nothing of theirs may keep playing here. */
  function closeAndForget(): void {
    engine.close();
    forgetVisit();
  }

  function flush(): void {
    reports.flush();
    persistence?.flush();
  }

  return {
    ...engine,
    updateDataSaver,
    setSubscriber(isSubscriber: boolean): void {
      engine.setSubscriber(isSubscriber);
      otherDevices.sync();
    },
    /** Continues here: what a device reported before is older. */
    restore(visit: Partial<SavedVisit>): void {
      engine.restore(visit);
      otherDevices.setMovedAt(clock.now());
    },
    refreshTrack(fresh: Track): void {
      engine.refreshTrack(fresh);
      otherDevices.sync();
    },
    /** Loads the beginning of a track that is likely to be played, unless data is to be saved. */
    warmUp: preloader.warmUp,
    /** Reports at once what was listened to since the last report. */
    reportListening: reports.flush,
    forgetVisit,
    dispose(): void {
      flush();
      for (const dispose of owned) dispose?.();
    },
  };
}

/** The device's own controls, loaded when playback first starts: no device shows them earlier. */
export function connectMediaSessionLater(engine: Engine, ports: MediaSessionPorts): () => void {
  let isDisposed = false;
  let disconnect = (): void => {};
  const unsubscribe = engine.listeningEvents.subscribe(({ type }) => {
    if (type !== 'started') return;
    unsubscribe();
    import('./session/media-session.ts').then(
      ({ connectMediaSession }) => {
        if (!isDisposed) disconnect = connectMediaSession(engine, ports);
      },
      // Playback works without the device's controls; the next visit tries again.
      () => {},
    );
  });
  return () => {
    isDisposed = true;
    unsubscribe();
    disconnect();
  };
}

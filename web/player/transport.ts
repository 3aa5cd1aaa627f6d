import { PREVIEW_SECONDS } from '#contract/rules/preview.ts';
import type { Track } from '#contract/tracks.ts';
import { createAccess } from './access.ts';
import type { AudioOutput } from './audio-output.ts';
import type { Clock } from './clock.ts';
import { dueCrossfade } from './crossfade.ts';
import { createDeck, type DeckEvent } from './deck.ts';
import {
  isAtPreviewLimit,
  isCutShort,
  isEndOfPreview,
  limitSeek,
  pickFile,
  resolveDuration,
} from './preview-limit.ts';
import { moveTo, type Queue } from './queue.ts';
import { createRecovery, type RecoveryPorts } from './recovery.ts';
import { createSession } from './session.ts';
import type { Signals } from './signals.ts';
import { noteSpot, returnToSpot, type Spot } from './spot.ts';
import { idlePlayback, patchState, SILENT, type PlayerState, type PlayerStore } from './store.ts';

export type TransportOptions = RecoveryPorts & {
  store: PlayerStore;
  signals: Signals;
  output: AudioOutput;
  spare: AudioOutput | null;
  clock: Clock;
  log(message: string, cause?: unknown): void;
  /** A free listener has reached the end of the preview. */
  announcePreviewEnd(track: Track): void;
  /** These copies are older than the listener's access: fetch them again for `refreshTrack`. */
  requestFreshTracks(tracks: readonly Track[]): void;
};

export type Transport = ReturnType<typeof createTransport>;

/** Moves one track at a time through the deck and writes what the deck says into the state. */
export function createTransport(options: TransportOptions) {
  const { store, signals, log } = options;
  const get = store.get;
  const patch = (change: Partial<PlayerState>) => patchState(store, change);
  const deck = createDeck({ ...options, onEvent: receive });
  deck.setVolume(get().volume);

  const session = createSession();
  /** What plays on should the next file not sound. */
  let fadedFrom: Spot | null = null;

  const isActive = () => get().isPlaying || get().isStarting;

  function rest(): void {
    const { currentTrack, currentTime } = get();
    if (!currentTrack || !session.hasStarted || session.isOver) return;
    signals.emit({ type: 'rested', track: currentTrack, time: currentTime });
  }

  function enter(track: Track, place: Queue): void {
    Object.assign(session, createSession());
    patch({
      ...SILENT,
      ...place,
      currentTrack: track,
      isLoading: true,
      currentTime: 0,
      duration: track.duration,
    });
  }

  function load(track: Track, place: Queue, startAt = 0): void {
    rest();
    deck.load(pickFile(track, get().isDataSaver), startAt);
    enter(track, place);
    session.startAt = startAt;
  }

  function play(): void {
    const { currentTrack, isDataSaver, isPlaying } = get();
    if (!currentTrack || isPlaying) return;
    session.isHeld = false;
    session.isAwaitingCopy = false;
    if (!deck.isLoaded()) {
      deck.load(pickFile(currentTrack, isDataSaver), get().currentTime);
      patch({ isLoading: true });
    }
    if (isAtPreviewLimit(get(), get().currentTime)) moveTime(0);
    patch({ isStarting: true });
    deck.play();
  }

  function pause(): void {
    if (!get().currentTrack) return;
    session.isHeld = true;
    session.isAwaitingAccess = false;
    deck.pause();
    if (!isActive()) return;
    patch(SILENT);
    rest();
  }

  function moveTime(seconds: number): void {
    const { currentTrack } = get();
    if (!currentTrack) return;
    session.isPinned = false;
    session.startAt = 0;
    signals.emit({ type: 'jumped', track: currentTrack });
    deck.seek(seconds);
    patch({ currentTime: seconds });
  }

  function seek(seconds: number): void {
    if (!get().currentTrack || Number.isNaN(seconds)) return;
    const target = limitSeek(seconds, get());
    moveTime(target);
    stopAtPreviewLimit(target);
  }

  /** True where the listener may hear no more. */
  function stopAtPreviewLimit(time: number): boolean {
    if (!isAtPreviewLimit(get(), time)) return false;
    endPreview();
    return true;
  }

  function endPreview(): void {
    const { currentTrack, sleepTimer } = get();
    if (!currentTrack) return;
    const wasActive = isActive();
    session.isPinned = true;
    deck.pause();
    if (currentTrack.access === 'full') deck.seek(PREVIEW_SECONDS);
    patch({
      ...SILENT,
      currentTime: PREVIEW_SECONDS,
      sleepTimer: sleepTimer?.kind === 'end-of-track' ? null : sleepTimer,
    });
    if (!wasActive) return;
    session.isHeld = true;
    rest();
    options.announcePreviewEnd(currentTrack);
  }

  function stop(): void {
    pause();
    moveTime(0);
  }

  function unload(extra: Partial<PlayerState>): void {
    rest();
    deck.unload();
    patch({ ...idlePlayback, ...extra });
  }

  /** The next place of the queue, if there is one. */
  const findNext = () => moveTo(get().queue, get().currentTrackIndex + 1);

  function playPlace(place: Queue): void {
    const track = place.queue[place.currentTrackIndex];
    if (!track) return;
    load(track, place);
    play();
  }

  function goOn(): void {
    const place = findNext();
    const track = place?.queue[place.currentTrackIndex];
    if (!place || !track) return unload({ queue: [], sleepTimer: null });
    const wasHeld = session.isHeld;
    load(track, place);
    session.isHeld = wasHeld;
    if (!wasHeld) play();
  }

  function crossfade(seconds: number): void {
    const place = findNext();
    const track = place?.queue[place.currentTrackIndex];
    const finished = get().currentTrack;
    if (!place || !track || !finished || !deck.canFade()) return;
    fadedFrom = noteSpot(get(), session);
    signals.emit({ type: 'finished', track: finished });
    deck.fadeTo(pickFile(track, get().isDataSaver), seconds);
    enter(track, place);
    play();
  }

  /** The next track has its turn at the end of this one, like any other that cannot be played. */
  function receiveFailedFade(): void {
    if (!fadedFrom) return;
    returnToSpot(store, session, fadedFrom);
    session.isFadeOff = true;
    patch({ isPlaying: true });
  }

  function receiveTime(track: Track, time: number): void {
    if (get().isLoading || session.isPinned) return;
    if (get().isPlaying) {
      const heardUpTo = isAtPreviewLimit(get(), time) ? PREVIEW_SECONDS : time;
      signals.emit({ type: 'progress', track, time: heardUpTo });
    }
    if (stopAtPreviewLimit(time)) return;
    patch({ currentTime: time, isBuffering: false });
    const seconds = session.isFadeOff ? null : dueCrossfade(get());
    if (seconds !== null) crossfade(seconds);
  }

  function receiveEnd(track: Track): void {
    if (isEndOfPreview(get())) return endPreview();
    if (isCutShort(track)) {
      patch(SILENT);
      rest();
      session.isAwaitingAccess = !session.isHeld;
      return options.requestFreshTracks([track]);
    }
    session.isOver = true;
    signals.emit({ type: 'finished', track });
    if (get().sleepTimer?.kind === 'end-of-track') {
      patch({ sleepTimer: null });
      return stop();
    }
    session.isHeld = false;
    goOn();
  }

  function receiveFailure(track: Track, cause: unknown): void {
    const name = cause instanceof Error ? cause.name : '';
    patch(SILENT);
    if (name === 'AbortError') return;
    log(`Could not start track: ${track.title}`, cause);
    // A browser that wants a gesture first would refuse the next track as well.
    if (name !== 'NotAllowedError') recovery.receiveFailure();
  }

  function receive(event: DeckEvent): void {
    const track = get().currentTrack;
    if (!track) return;
    switch (event.type) {
      case 'loadedmetadata':
        return patch({ duration: resolveDuration(track, event.duration), isLoading: false });
      case 'durationchange':
        if (!get().isLoading) patch({ duration: resolveDuration(track, event.duration) });
        return;
      case 'timeupdate':
        return receiveTime(track, event.time);
      case 'playing':
        return receiveStart(track);
      case 'pause':
        return isActive() ? pause() : undefined;
      case 'waiting':
        return get().isPlaying ? patch({ isBuffering: true }) : undefined;
      case 'canplay':
        return patch({ isBuffering: false });
      case 'ended':
        return receiveEnd(track);
      case 'error':
        log(`Error playing track: ${track.title}`, event.reason);
        return recovery.receiveError(track);
      case 'fade-failed':
        return receiveFailedFade();
      case 'play-failed':
        return receiveFailure(track, event.cause);
    }
  }

  function receiveStart(track: Track): void {
    if (get().isPlaying) return patch({ isBuffering: false });
    const isResume = session.hasStarted;
    session.hasStarted = true;
    session.isHeld = false;
    session.isOver = false;
    recovery.forgetOrigin();
    patch({ isPlaying: true, isStarting: false, isBuffering: false });
    signals.emit({ type: 'started', track, isResume });
  }

  const recovery = createRecovery({
    ...options,
    deck,
    session,
    play,
    rest,
    goOn,
    hasNext: () => findNext() !== null,
  });
  const { resume } = recovery;
  const access = createAccess({
    ...options,
    deck,
    session,
    play,
    rest,
    resume,
    stopAtPreviewLimit,
  });

  return {
    /** Picked by the listener. */
    load(track: Track, place: Queue, startAt: number): void {
      recovery.forgetOrigin();
      load(track, place, startAt);
    },
    play,
    pause,
    stop,
    seek,
    unload(extra: Partial<PlayerState>): void {
      recovery.forgetOrigin();
      unload(extra);
    },
    playPlace(place: Queue): void {
      recovery.forgetOrigin();
      playPlace(place);
    },
    /** Has the beginning of a track at hand in case it is played next. */
    prepare: (track: Track) => deck.prepare(pickFile(track, get().isDataSaver)),
    isLoaded: () => deck.isLoaded(),
    setVolume: (volume: number) => deck.setVolume(volume),
    restart(): void {
      moveTime(0);
      play();
    },
    ...access,
    dispose(): void {
      recovery.dispose();
      deck.dispose();
    },
  };
}

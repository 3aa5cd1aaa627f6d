import type { Track } from '#contract/tracks.ts';
import type { Engine } from './engine.ts';
import { selectPlayableSeconds } from './preview-limit.ts';
import type { PlayerState } from './store.ts';

const DEFAULT_STEP_SECONDS = 10;

export type MediaSessionPorts = {
  session: MediaSession;
  /** What the device shows as the artist: the site's name. */
  artist: string;
  createMetadata(init: MediaMetadataInit): MediaMetadata;
};

type Commands = Pick<
  Engine,
  'play' | 'pause' | 'stop' | 'seek' | 'skipToNext' | 'skipToPrevious' | 'store'
>;

export const describeTrack = (track: Track, artist: string): MediaMetadataInit => ({
  title: track.title,
  artist,
  album: `Week ${track.weekNumber}`,
  artwork: [
    track.coverUrl
      ? { src: track.coverUrl }
      : {
          src: `/media/sleeves/${track.weekNumber}-square.png`,
          sizes: '512x512',
          type: 'image/png',
        },
  ],
});

/** Undefined where there is nothing to show; a position past the duration is refused by browsers. */
export function describePosition(state: PlayerState): MediaPositionState | undefined {
  const duration = selectPlayableSeconds(state);
  if (!state.currentTrack || !(duration > 0)) return undefined;
  return { duration, position: Math.min(state.currentTime, duration), playbackRate: 1 };
}

export function connectMediaSession(engine: Commands, ports: MediaSessionPorts): () => void {
  const { session, artist, createMetadata } = ports;
  const { store, seek } = engine;
  const stepBy = (seconds: number) => seek(store.get().currentTime + seconds);
  const handlers: Partial<Record<MediaSessionAction, MediaSessionActionHandler>> = {
    play: () => engine.play(),
    pause: () => engine.pause(),
    stop: () => engine.stop(),
    seekto: ({ seekTime }) => seekTime !== undefined && seek(seekTime),
    seekbackward: ({ seekOffset }) => stepBy(-(seekOffset ?? DEFAULT_STEP_SECONDS)),
    seekforward: ({ seekOffset }) => stepBy(seekOffset ?? DEFAULT_STEP_SECONDS),
    previoustrack: () => engine.skipToPrevious(),
    nexttrack: () => engine.skipToNext(),
  };
  const actions = Object.keys(handlers) as MediaSessionAction[];

  function setHandler(action: MediaSessionAction, handler: MediaSessionActionHandler | null): void {
    try {
      session.setActionHandler(action, handler);
    } catch {
      // A browser that does not know the action offers the others.
    }
  }

  let shown: PlayerState | null = null;
  function show(): void {
    const state = store.get();
    const { currentTrack, isPlaying } = state;
    if (currentTrack !== (shown?.currentTrack ?? null))
      session.metadata = currentTrack && createMetadata(describeTrack(currentTrack, artist));
    session.playbackState = currentTrack ? (isPlaying ? 'playing' : 'paused') : 'none';
    if (!shown || hasMoved(shown, state)) {
      session.setPositionState?.(describePosition(state));
      shown = state;
    }
  }

  for (const action of actions) setHandler(action, handlers[action] ?? null);
  show();
  const unsubscribe = store.subscribe(show);
  return () => {
    unsubscribe();
    for (const action of actions) setHandler(action, null);
    session.metadata = null;
    session.playbackState = 'none';
  };
}

/** The device counts on by itself: once a second is enough, besides every change of course. */
const hasMoved = (before: PlayerState, now: PlayerState): boolean =>
  before.currentTrack !== now.currentTrack ||
  before.isPlaying !== now.isPlaying ||
  before.duration !== now.duration ||
  before.isFullTrackAvailable !== now.isFullTrackAvailable ||
  Math.floor(before.currentTime) !== Math.floor(now.currentTime);

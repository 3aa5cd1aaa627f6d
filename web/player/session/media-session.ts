import { joinNames } from '#contract/artists/artist-names.ts';
import type { Track } from '#contract/tracks.ts';
import type { Engine } from '#web/player/engine.ts';
import { selectPlayableSeconds } from '#web/player/preview-limit.ts';
import type { PlayerState } from '#web/player/store.ts';

const DEFAULT_STEP_SECONDS = 10;

export type MediaSessionPorts = {
  session: MediaSession;
  /** The site's name, which the device shows as the artist of tracks that name none. */
  artist: string;
  createMetadata(init: MediaMetadataInit): MediaMetadata;
};

type Commands = Pick<
  Engine,
  'play' | 'pause' | 'stop' | 'seek' | 'skipToNext' | 'skipToPrevious' | 'store'
>;

function buildArtwork({ id, coverUrl, unreleased }: Track): MediaImage[] {
  if (coverUrl) return [{ src: coverUrl }];
  // The drawn sleeve becomes public with the mix.
  if (unreleased) return [];
  const src = `/media/sleeves/${encodeURIComponent(id)}-square.png`;
  return [{ src, sizes: '512x512', type: 'image/png' }];
}

const buildMetadata = (track: Track, artist: string): MediaMetadataInit => ({
  title: track.title,
  artist: joinNames(track.artists) || artist,
  album: `Week ${track.weekNumber}`,
  artwork: buildArtwork(track),
});

/** Undefined if there is nothing to show. Browsers reject a position past the duration. */
function buildPositionState(state: PlayerState): MediaPositionState | undefined {
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
      // This browser doesn't support the action; the others still work.
    }
  }

  let shown: PlayerState | null = null;
  function show(): void {
    const state = store.get();
    const { currentTrack, isPlaying } = state;
    if (currentTrack !== (shown?.currentTrack ?? null))
      session.metadata = currentTrack && createMetadata(buildMetadata(currentTrack, artist));
    session.playbackState = currentTrack ? (isPlaying ? 'playing' : 'paused') : 'none';
    if (!shown || hasMoved(shown, state)) {
      session.setPositionState?.(buildPositionState(state));
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

/** The device counts by itself, so one update a second is enough. */
const hasMoved = (before: PlayerState, now: PlayerState): boolean =>
  before.currentTrack !== now.currentTrack ||
  before.isPlaying !== now.isPlaying ||
  before.duration !== now.duration ||
  before.isFullTrackAvailable !== now.isFullTrackAvailable ||
  Math.floor(before.currentTime) !== Math.floor(now.currentTime);

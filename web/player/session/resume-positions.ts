import { findResumePosition, STARTED_AFTER_SECONDS } from '#contract/rules/resume.ts';
import type { Track } from '#contract/tracks.ts';
import type { Clock } from '#web/player/clock.ts';
import type { ListeningEvents } from './listening-events.ts';
import { isAmount } from '#web/player/parse-track.ts';
import { tryOrUndefined, parseObject, type KeyValueStorage } from './persistence.ts';
import type { Engine } from '#web/player/engine.ts';

type SavedPosition = { readonly seconds: number; readonly at: number };

/**
 * Where playback stopped on this device, by track id. For users the server has the final say; this
 * also covers visitors, offline listening and what hasn't reached the server yet.
 */
export type ResumePositions = {
  find(trackId: string): SavedPosition | null;
  save(trackId: string, position: SavedPosition): void;
  /** For a shared device after logging out. */
  clear(): void;
};

/** A preview is short enough to start over. */
export function resumeAt(track: Track, saved: SavedPosition | null): number {
  const { progress } = track;
  const position =
    progress && !(saved && saved.at > progress.listenedAt)
      ? progress.position
      : (saved?.seconds ?? 0);
  return track.access === 'full' ? findResumePosition(position, track.duration) : 0;
}

export function saveResumePositions(
  listeningEvents: ListeningEvents,
  positions: ResumePositions,
  clock: Clock,
): () => void {
  const save = (track: Track, seconds: number) =>
    positions.save(track.id, { seconds, at: clock.now() });
  return listeningEvents.subscribe((event) => {
    // Saved rather than deleted: a copy of the track may still have a position before the end.
    if (event.type === 'finished') save(event.track, 0);
    if (event.type === 'stopped' && event.track.access === 'full') save(event.track, event.time);
  });
}

export const POSITIONS_KEY = 'player-positions';
const VERSION = 2;
const MAX_POSITIONS = 200;

/** The latest last, so that the oldest is dropped first. */
function parsePositions(text: string | null): Map<string, SavedPosition> {
  const raw = parseObject(text);
  const entries: unknown[] =
    raw?.version === VERSION && Array.isArray(raw.positions) ? raw.positions : [];
  const valid = entries.filter(
    (entry): entry is [string, number, number] =>
      Array.isArray(entry) &&
      typeof entry[0] === 'string' &&
      isAmount(entry[1]) &&
      isAmount(entry[2]),
  );
  return new Map(valid.slice(-MAX_POSITIONS).map(([id, seconds, at]) => [id, { seconds, at }]));
}

/** Loaded again before each change: other tabs save positions as well. */
export function createStoredResumePositions(storage: KeyValueStorage): ResumePositions {
  const load = () => parsePositions(tryOrUndefined(() => storage.getItem(POSITIONS_KEY)) ?? null);

  function write(positions: Map<string, SavedPosition>): void {
    const latest = [...positions]
      .slice(-MAX_POSITIONS)
      .map(([id, { seconds, at }]) => [id, seconds, at]);
    tryOrUndefined(() =>
      storage.setItem(POSITIONS_KEY, JSON.stringify({ version: VERSION, positions: latest })),
    );
  }

  return {
    find: (trackId) => load().get(trackId) ?? null,
    save(trackId, position) {
      const positions = load();
      positions.delete(trackId);
      write(positions.set(trackId, position));
    },
    clear: () => tryOrUndefined(() => storage.removeItem(POSITIONS_KEY)),
  };
}

/** Reports are a few seconds apart: a smaller difference is the same position. */
const SAME_POSITION_SECONDS = 5;

/** A track that is paused here and has since played on another device continues where that one stopped. */
export function watchOtherDevices(
  { store, listeningEvents, seek }: Pick<Engine, 'store' | 'listeningEvents' | 'seek'>,
  clock: Clock,
) {
  let movedAt = 0;
  const unsubscribe = listeningEvents.subscribe(() => {
    movedAt = clock.now();
  });
  return {
    /** For a restored visit: its position was last moved at this time. */
    setMovedAt(at: number): void {
      movedAt = at;
    },
    /** For a newer copy of the current track, or once the user's status is known. */
    sync(): void {
      const state = store.get();
      const progress = state.currentTrack?.progress;
      if (!state.currentTrack || !progress || progress.listenedAt <= movedAt) return;
      if (state.isPlaying || state.isStarting || !state.isFullTrackAvailable) return;
      // A track that was only started has no position to resume. This also skips the report of this
      // device's own start, which may reach the server after a later seek.
      if (progress.position < STARTED_AFTER_SECONDS) return;
      if (Math.abs(progress.position - state.currentTime) > SAME_POSITION_SECONDS)
        seek(resumeAt(state.currentTrack, null));
    },
    movedAt: () => movedAt,
    dispose: unsubscribe,
  };
}

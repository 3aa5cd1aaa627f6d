import type { Track } from '#contract/tracks.ts';
import type { Clock } from './clock.ts';
import type { ListeningEvents } from './listening-events.ts';

import { isAmount } from './parse-track.ts';
import { attempt, parseObject, type KeyValueStorage } from './persistence.ts';

export type SavedPosition = { readonly seconds: number; readonly at: number };

/**
 * Where listeners stopped on this device, by track id. The server's account of a member is the truth;
 * this one knows what the server has not heard yet, and what visitors and listeners offline hear.
 */
export type ResumePositions = {
  read(trackId: string): SavedPosition | null;
  save(trackId: string, position: SavedPosition): void;
  /** For a shared machine after logging out. */
  erase(): void;
};

export const WORTH_RESUMING_SECONDS = 15;
const AS_GOOD_AS_OVER_SECONDS = 30;

/** Beginnings and endings are not resumed, and a preview is short enough to begin again. */
export function resumeAt(track: Track, kept: SavedPosition | null): number {
  const { progress } = track;
  const position =
    progress && !(kept && kept.at > progress.listenedAt) ? progress.position : (kept?.seconds ?? 0);
  const isWorthIt =
    track.access === 'full' &&
    position >= WORTH_RESUMING_SECONDS &&
    position <= track.duration - AS_GOOD_AS_OVER_SECONDS;
  return isWorthIt ? position : 0;
}

export function saveResumePositions(
  listeningEvents: ListeningEvents,
  positions: ResumePositions,
  clock: Clock,
): () => void {
  const keep = (track: Track, seconds: number) =>
    positions.save(track.id, { seconds, at: clock.now() });
  return listeningEvents.subscribe((signal) => {
    // Told rather than forgotten: a copy of the track may still say where it was before its end.
    if (signal.type === 'finished') keep(signal.track, 0);
    if (signal.type === 'stopped' && signal.track.access === 'full')
      keep(signal.track, signal.time);
  });
}

export const POSITIONS_KEY = 'player-positions';
const VERSION = 2;
const MAX_POSITIONS = 200;

/** The latest last, so that the oldest is the one to go. */
export function parsePositions(text: string | null): Map<string, SavedPosition> {
  const raw = parseObject(text);
  const entries: unknown[] =
    raw?.version === VERSION && Array.isArray(raw.positions) ? raw.positions : [];
  const kept = entries.filter(
    (entry): entry is [string, number, number] =>
      Array.isArray(entry) &&
      typeof entry[0] === 'string' &&
      isAmount(entry[1]) &&
      isAmount(entry[2]),
  );
  return new Map(kept.slice(-MAX_POSITIONS).map(([id, seconds, at]) => [id, { seconds, at }]));
}

/** Read anew before each change: other tabs keep positions as well. */
export function createStoredPositions(storage: KeyValueStorage): ResumePositions {
  const read = () => parsePositions(attempt(() => storage.getItem(POSITIONS_KEY)) ?? null);

  function write(positions: Map<string, SavedPosition>): void {
    const latest = [...positions]
      .slice(-MAX_POSITIONS)
      .map(([id, { seconds, at }]) => [id, seconds, at]);
    attempt(() =>
      storage.setItem(POSITIONS_KEY, JSON.stringify({ version: VERSION, positions: latest })),
    );
  }

  return {
    read: (trackId) => read().get(trackId) ?? null,
    save(trackId, position) {
      const positions = read();
      positions.delete(trackId);
      write(positions.set(trackId, position));
    },
    erase: () => attempt(() => storage.removeItem(POSITIONS_KEY)),
  };
}

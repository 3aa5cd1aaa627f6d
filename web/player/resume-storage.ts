import { attempt, parseObject, type KeyValueStorage } from './persistence.ts';
import type { ResumePositions } from './resume.ts';

export const POSITIONS_KEY = 'player-positions';
const VERSION = 1;
const MAX_POSITIONS = 200;

/** The latest last, so that the oldest is the one to go. */
export function parsePositions(text: string | null): Map<string, number> {
  const raw = parseObject(text);
  const entries: unknown[] =
    raw?.version === VERSION && Array.isArray(raw.positions) ? raw.positions : [];
  const kept = entries.filter(
    (entry): entry is [string, number] =>
      Array.isArray(entry) &&
      typeof entry[0] === 'string' &&
      typeof entry[1] === 'number' &&
      Number.isFinite(entry[1]) &&
      entry[1] >= 0,
  );
  return new Map(kept.slice(-MAX_POSITIONS).map(([id, seconds]) => [id, seconds]));
}

/** Read anew before each change: other tabs keep positions as well. */
export function createStoredPositions(storage: KeyValueStorage): ResumePositions {
  const read = () => parsePositions(attempt(() => storage.getItem(POSITIONS_KEY)) ?? null);

  function write(positions: Map<string, number>): void {
    const latest = [...positions].slice(-MAX_POSITIONS);
    attempt(() =>
      storage.setItem(POSITIONS_KEY, JSON.stringify({ version: VERSION, positions: latest })),
    );
  }

  return {
    read: (trackId) => read().get(trackId) ?? 0,
    keep(trackId, seconds) {
      const positions = read();
      positions.delete(trackId);
      write(positions.set(trackId, seconds));
    },
    forget(trackId) {
      const positions = read();
      if (positions.delete(trackId)) write(positions);
    },
  };
}

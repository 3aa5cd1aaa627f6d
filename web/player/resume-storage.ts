import { isAmount } from './parse-track.ts';
import { attempt, parseObject, type KeyValueStorage } from './persistence.ts';
import type { SavedPosition, ResumePositions } from './resume.ts';

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

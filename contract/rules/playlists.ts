import { DAY } from './time.ts';

export const MAX_PLAYLISTS = 200;
export const MAX_PLAYLIST_TRACKS = 1000;
export const MAX_PLAYLIST_NAME = 80;
export const MAX_PLAYLIST_DESCRIPTION = 500;

/** A deleted playlist can be restored for this long, and only the newest of them. */
export const DELETED_PLAYLIST_MS = 7 * DAY;
export const MAX_DELETED_PLAYLISTS = 20;

/** Moves an item after another one, or to the front (null). Unknown ids change nothing. */
export function moveAfter<T>(
  items: readonly T[],
  idOf: (item: T) => string,
  { id, after }: { id: string; after: string | null },
): readonly T[] {
  const moved = items.find((item) => idOf(item) === id);
  if (!moved || id === after) return items;
  const rest = items.filter((item) => item !== moved);
  const before = after === null ? -1 : rest.findIndex((item) => idOf(item) === after);
  if (after !== null && before === -1) return items;
  return rest.toSpliced(before + 1, 0, moved);
}

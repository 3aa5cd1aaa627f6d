/** Far apart, so that twenty moves to the same spot find room between two neighbours. */
export const GAP = 2 ** 20;

export type Place = { track_id: string; position: number };

const spread = (trackIds: readonly string[], from: number, step: number): Place[] =>
  trackIds.map((track_id, i) => ({ track_id, position: from + step * (i + 1) }));

/**
 * The positions to write so that these tracks, none of which is in `placed`, stand behind `after` in
 * their order: usually theirs alone, and everybody's where the neighbours have no room between them.
 */
function planBetween(
  placed: readonly Place[],
  trackIds: readonly string[],
  index: number,
): Place[] {
  const before = placed[index - 1]?.position;
  const behind = placed[index]?.position;
  if (behind === undefined) return spread(trackIds, before ?? 0, GAP);
  if (before === undefined) return spread(trackIds, behind - GAP * (trackIds.length + 1), GAP);
  const step = Math.floor((behind - before) / (trackIds.length + 1));
  if (step >= 1) return spread(trackIds, before, step);
  const ids = placed.map((place) => place.track_id).toSpliced(index, 0, ...trackIds);
  return spread(ids, 0, GAP);
}

const indexBehind = (placed: readonly Place[], trackId: string): number =>
  placed.findIndex((place) => place.track_id === trackId) + 1;

/** `after` null puts them first; without it, or where it is no longer there, they go to the end. */
export function planAdd(
  placed: readonly Place[],
  trackIds: readonly string[],
  after?: string | null,
): Place[] {
  const found = after ? indexBehind(placed, after) : 0;
  const index = after === null ? 0 : found || placed.length;
  return planBetween(placed, trackIds, index);
}

/** Nothing to write where it stands there already; null where one of the two is not in the list. */
export function planMove(
  placed: readonly Place[],
  trackId: string,
  after: string | null,
): Place[] | null {
  const from = indexBehind(placed, trackId) - 1;
  if (from === -1) return null;
  if (after !== null && indexBehind(placed, after) === 0) return null;
  if (after === trackId || (placed[from - 1]?.track_id ?? null) === after) return [];
  const rest = placed.toSpliced(from, 1);
  return planBetween(rest, [trackId], after === null ? 0 : indexBehind(rest, after));
}

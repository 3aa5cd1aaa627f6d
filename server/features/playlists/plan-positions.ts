/** Positions are far apart, so that twenty moves fit between two neighbours. */
export const GAP = 2 ** 20;

export type TrackPosition = { track_id: string; position: number };

const spread = (trackIds: readonly string[], from: number, step: number): TrackPosition[] =>
  trackIds.map((track_id, i) => ({ track_id, position: from + step * (i + 1) }));

/**
 * The positions to write to insert these tracks at an index: usually only theirs, or those of all
 * tracks when there is no room between the neighbours.
 */
function planBetween(
  current: readonly TrackPosition[],
  trackIds: readonly string[],
  index: number,
): TrackPosition[] {
  const before = current[index - 1]?.position;
  const next = current[index]?.position;
  if (next === undefined) return spread(trackIds, before ?? 0, GAP);
  if (before === undefined) return spread(trackIds, next - GAP * (trackIds.length + 1), GAP);
  const step = Math.floor((next - before) / (trackIds.length + 1));
  if (step >= 1) return spread(trackIds, before, step);
  const ids = current.map(({ track_id }) => track_id).toSpliced(index, 0, ...trackIds);
  return spread(ids, 0, GAP);
}

const indexAfter = (current: readonly TrackPosition[], trackId: string): number =>
  current.findIndex(({ track_id }) => track_id === trackId) + 1;

/** With `after` null they come first; without it, or if that track is gone, last. */
export function planAdd(
  current: readonly TrackPosition[],
  trackIds: readonly string[],
  after?: string | null,
): TrackPosition[] {
  const found = after ? indexAfter(current, after) : 0;
  const index = after === null ? 0 : found || current.length;
  return planBetween(current, trackIds, index);
}

/** Empty when nothing moves; null when one of the two is not in the playlist. */
export function planMove(
  current: readonly TrackPosition[],
  trackId: string,
  after: string | null,
): TrackPosition[] | null {
  const from = indexAfter(current, trackId) - 1;
  if (from === -1) return null;
  if (after !== null && indexAfter(current, after) === 0) return null;
  if (after === trackId || (current[from - 1]?.track_id ?? null) === after) return [];
  const rest = current.toSpliced(from, 1);
  return planBetween(rest, [trackId], after === null ? 0 : indexAfter(rest, after));
}

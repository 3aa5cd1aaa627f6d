/** A row being moved: the index it came from, and the index it would be dropped at. */
export type Drag = {
  id: string;
  from: number;
  to: number;
  by: 'pointer' | 'keyboard';
  /** All rows have the same height, so an index can be computed even where no row is rendered. */
  rowHeight: number;
  /** A heading has an index among the rows, so that they can be moved past it, and its own height. */
  heading?: { index: number; height: number } | undefined;
};

const clamp = (index: number, count: number): number => Math.min(Math.max(index, 0), count - 1);

/** How far down the dragged row is at an index. */
function dragDistance({ from, rowHeight, heading }: Drag, to: number): number {
  const distance = (to - from) * rowHeight;
  if (!heading) return distance;
  const extra = heading.height - rowHeight;
  if (from < heading.index && to >= heading.index) return distance + extra;
  if (from > heading.index && to <= heading.index) return distance - extra;
  return distance;
}

/** The index of a row that was dragged this many pixels down. */
export function indexAtOffset(drag: Drag, pixels: number, count: number): number {
  const { from, rowHeight, heading } = drag;
  const extra = heading ? heading.height - rowHeight : 0;
  const candidates = [pixels, pixels - extra, pixels + extra]
    .map((distance) => from + Math.round(distance / rowHeight))
    .concat(heading ? [heading.index, heading.index - 1, heading.index + 1] : [])
    .map((index) => clamp(index, count));
  const miss = (index: number) => Math.abs(dragDistance(drag, index) - pixels);
  return candidates.reduce((best, index) => (miss(index) < miss(best) ? index : best));
}

const steps: Record<string, (to: number, count: number) => number> = {
  ArrowUp: (to) => to - 1,
  ArrowDown: (to) => to + 1,
  PageUp: (to) => to - 10,
  PageDown: (to) => to + 10,
  Home: () => 0,
  End: (_to, count) => count - 1,
};

/** The index a key moves the row to; null for keys that don't move it. */
export function indexAfterKey({ to }: Drag, key: string, count: number): number | null {
  const step = steps[key];
  return step ? clamp(step(to, count), count) : null;
}

/** How far a row is shifted to leave a gap where the dragged row would go. */
export function rowOffset(index: number, drag: Drag): number {
  const { from, to, rowHeight } = drag;
  if (index === from) return dragDistance(drag, to);
  if (index > from && index <= to) return -rowHeight;
  if (index < from && index >= to) return rowHeight;
  return 0;
}

/** The place at an index once the heading isn't counted, and on which side of the heading it is. */
export function placeAt({ from, heading }: Drag, to: number) {
  const isBelowHeading =
    heading !== undefined && (from < heading.index ? to >= heading.index : to > heading.index);
  return { index: isBelowHeading ? to - 1 : to, isBelowHeading };
}

/** The row that the dragged one would follow; null at the top. */
export const findIdBefore = (ids: readonly string[], { from, to }: Drag): string | null =>
  ids.toSpliced(from, 1)[to - 1] ?? null;

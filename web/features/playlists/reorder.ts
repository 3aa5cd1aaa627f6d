/** A row being moved: the index it came from, and the index it would be dropped at. */
export type Drag = {
  id: string;
  from: number;
  to: number;
  by: 'pointer' | 'keyboard';
  /** All rows have the same height, so an index can be computed even where no row is rendered. */
  rowHeight: number;
};

const clamp = (index: number, count: number): number => Math.min(Math.max(index, 0), count - 1);

/** The index of a row that was dragged this many pixels down. */
export const indexAtOffset = ({ from, rowHeight }: Drag, pixels: number, count: number): number =>
  clamp(from + Math.round(pixels / rowHeight), count);

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
export function rowOffset(index: number, { from, to, rowHeight }: Drag): number {
  if (index === from) return (to - from) * rowHeight;
  if (index > from && index <= to) return -rowHeight;
  if (index < from && index >= to) return rowHeight;
  return 0;
}

/** The row that the dragged one would follow; null at the top. */
export const findIdBefore = (ids: readonly string[], { from, to }: Drag): string | null =>
  ids.toSpliced(from, 1)[to - 1] ?? null;

/** Every order is equally likely. */
export function shuffle<T>(items: readonly T[], random: () => number = Math.random): T[] {
  const shuffled = [...items];
  for (let last = shuffled.length - 1; last > 0; last--) {
    const pick = Math.floor(random() * (last + 1));
    [shuffled[last], shuffled[pick]] = [shuffled[pick] as T, shuffled[last] as T];
  }
  return shuffled;
}

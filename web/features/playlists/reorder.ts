/** A row in somebody's hand: where it stood, and where it would be put down now. */
export type Lift = {
  id: string;
  from: number;
  to: number;
  by: 'pointer' | 'keys';
  /** All rows are equally high, so a place is a matter of arithmetic, also where no row is drawn. */
  rowHeight: number;
};

const clamp = (index: number, count: number): number => Math.min(Math.max(index, 0), count - 1);

/** The place that a row has come to when it was carried so many pixels down. */
export const placeAt = ({ from, rowHeight }: Lift, pixels: number, count: number): number =>
  clamp(from + Math.round(pixels / rowHeight), count);

const steps: Record<string, (to: number, count: number) => number> = {
  ArrowUp: (to) => to - 1,
  ArrowDown: (to) => to + 1,
  PageUp: (to) => to - 10,
  PageDown: (to) => to + 10,
  Home: () => 0,
  End: (_to, count) => count - 1,
};

/** Where a key takes a lifted row; null for a key that moves nothing. */
export function placeByKey({ to }: Lift, key: string, count: number): number | null {
  const step = steps[key];
  return step ? clamp(step(to, count), count) : null;
}

/** How far from its own place a row is shown, so that there is a gap where the lifted one would go. */
export function shiftOf(index: number, { from, to, rowHeight }: Lift): number {
  if (index === from) return (to - from) * rowHeight;
  if (index > from && index <= to) return -rowHeight;
  if (index < from && index >= to) return rowHeight;
  return 0;
}

/** Behind which one it is put down; null at the front. */
export const neighbourAt = (ids: readonly string[], { from, to }: Lift): string | null =>
  ids.toSpliced(from, 1)[to - 1] ?? null;

import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { memo, useEffect, useLayoutEffect, useState } from 'react';
import { loadSleevePainter } from '#web/ui/art/sleeve.tsx';
import { ROW_HEIGHT } from './track-rows.tsx';

const OVERSCAN = 6;
/** Less than the rows that each list renders outside the viewport, so that none is left out between two. */
const NEAR = 380;

/** A row on the page. With a distance from the top of the list it is out of line. */
export type ShownRow = { index: number; top?: number };

/** What a long list shows of its rows. */
export type RowsView = {
  rows: readonly ShownRow[];
  /** Above the first row that is in line. */
  space: number;
  /** Of the whole list. */
  height: number;
  measureRow: (row: Element | null) => void;
};

type ListRef = React.RefObject<HTMLElement | null>;

type RowsInViewProps = {
  list: ListRef;
  tracks: readonly { id: string }[];
  onChange: (view: RowsView) => void;
};

/** Finds the rows in view, and the one in use so that it keeps the focus. Shows nothing itself. */
export const RowsInView = memo(function RowsInView({ list, tracks, onChange }: RowsInViewProps) {
  const layout = useListLayout(list);
  const isNear = useIsNear(list);
  useEffect(() => void loadSleevePainter(), []);
  // eslint-disable-next-line react/incompatible-library -- nothing here is memoised
  const virtualizer = useWindowVirtualizer({
    count: tracks.length,
    estimateSize: () => layout?.rowHeight ?? ROW_HEIGHT,
    lanes: layout?.columns ?? 1,
    overscan: OVERSCAN,
    scrollMargin: layout?.offset ?? 0,
    getItemKey: (index) => tracks[index]?.id ?? index,
    // In a task of their own, not in that of the frame.
    useFlushSync: false,
  });
  useLayoutEffect(() => {
    if (!layout || !virtualizer.range) return;
    const near = isNear ? virtualizer.getVirtualItems() : [];
    const startOf = (index: number) =>
      (virtualizer.measurementsCache[index]?.start ?? layout.offset) - layout.offset;
    const isElsewhere = (index: number) =>
      index < tracks.length && !near.some((item) => item.index === index);
    const inUse = findInUse(list.current).filter(isElsewhere);
    const rows: ShownRow[] = [
      ...near.map(({ index }) => ({ index })),
      ...inUse.map((index) => ({ index, top: startOf(index) })),
    ];
    onChange({
      rows: rows.toSorted((a, b) => a.index - b.index),
      space: startOf(near[0]?.index ?? 0),
      height: virtualizer.getTotalSize(),
      measureRow: virtualizer.measureElement,
    });
  });
  return null;
});

/** Rows that have the focus or an open menu. */
function findInUse(list: HTMLElement | null): number[] {
  const inUse = [document.activeElement, ...(list?.querySelectorAll('[aria-expanded=true]') ?? [])];
  const rows = new Set(inUse.map((element) => element?.closest('li')));
  return [...rows]
    .filter((row) => row?.parentElement === list)
    .map((row) => Number(row?.ariaPosInSet) - 1);
}

/** Keeps years far from the viewport empty: each would show a screenful. */
function useIsNear(element: ListRef): boolean {
  const [isNear, setIsNear] = useState(false);
  useLayoutEffect(() => {
    const list = element.current;
    if (!list) return;
    // Before the browser paints, which an observer would only follow.
    const look = () => {
      const { top, bottom } = list.getBoundingClientRect();
      setIsNear(top < window.innerHeight + NEAR && bottom > -NEAR);
    };
    look();
    const observer = new IntersectionObserver(
      (entries) => setIsNear(entries.at(-1)?.isIntersecting ?? true),
      { rootMargin: `${NEAR}px` },
    );
    observer.observe(list);
    return () => observer.disconnect();
  }, [element]);
  return isNear;
}

type ListLayout = {
  /** Where the list starts on the page. Content above it may change height. */
  offset: number;
  /** Rows that were never in view take up this much. It depends on the width and the text size. */
  rowHeight: number;
  columns: number;
};

function useListLayout(element: ListRef): ListLayout | null {
  const [layout, setLayout] = useState<ListLayout | null>(null);
  useLayoutEffect(() => {
    const measure = () => {
      const list = element.current;
      if (!list) return;
      const row = list.lastElementChild?.getBoundingClientRect();
      const columns = Number(getComputedStyle(list).getPropertyValue('--columns')) || 1;
      const offset = Math.round(list.getBoundingClientRect().top + window.scrollY);
      setLayout((last) => {
        const rowHeight = row?.height ?? last?.rowHeight ?? ROW_HEIGHT;
        const next = { offset, rowHeight, columns };
        return last && isSameLayout(last, next) ? last : next;
      });
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, [element]);
  return layout;
}

const isSameLayout = (a: ListLayout, b: ListLayout): boolean =>
  a.offset === b.offset && a.rowHeight === b.rowHeight && a.columns === b.columns;

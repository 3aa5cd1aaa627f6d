import { defaultRangeExtractor, useWindowVirtualizer } from '@tanstack/react-virtual';
import {
  memo,
  useDeferredValue,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  type ReactNode,
} from 'react';
import { loadSleevePainter } from '#web/ui/art/sleeve.tsx';
import { waitForTurn } from './wait-for-turn.ts';

/** A row with its border, until one has been measured. */
const ROW_HEIGHT = 65;
const OVERSCAN = 8;
const NEAR = '600px';

type Row = { key: string; render: () => ReactNode };

type VirtualRowsProps = {
  label: string;
  rows: readonly Row[];
  setSize: number;
  isBusy: boolean;
  hasColumns: boolean;
};

/** Renders the rows in view, and the one in use so that it keeps the focus. */
export function VirtualRows({ label, setSize, isBusy, hasColumns, ...props }: VirtualRowsProps) {
  // When more rows have loaded, those in view render again, but in pieces: scrolling goes first.
  // People see at once where they have moved a row: such a list has one column.
  const later = useDeferredValue(props.rows);
  const rows = hasColumns ? later : props.rows;
  const list = useRef<HTMLUListElement>(null);
  const { offset: scrollMargin, rowHeight, columns } = useListLayout(list);
  const isNear = useIsNear(list);
  useEffect(() => void loadSleevePainter(), []);
  // eslint-disable-next-line react/incompatible-library -- nothing here is memoised
  const virtualizer = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => rowHeight,
    lanes: columns,
    overscan: OVERSCAN,
    scrollMargin,
    getItemKey: (index) => rows[index]?.key ?? index,
    rangeExtractor: (range) => {
      const near = isNear ? defaultRangeExtractor(range) : [];
      const indexes = new Set([...near, ...findInUse(list.current)]);
      return [...indexes].filter((index) => index < rows.length).toSorted((a, b) => a - b);
    },
  });
  return (
    <ul
      ref={list}
      aria-label={label}
      aria-busy={isBusy}
      className={`relative ${hasColumns ? '@double/content:[--columns:2]' : '@double/content:max-w-[1400px]'}`}
      style={{ height: virtualizer.getTotalSize() }}
    >
      {virtualizer.getVirtualItems().map(({ key, index, start, lane }) => (
        <li
          key={key}
          ref={virtualizer.measureElement}
          data-index={index}
          aria-setsize={setSize}
          aria-posinset={index + 1}
          className={`absolute top-0 has-[[data-dragged]]:z-10 ${columnClass(columns, lane)} ${index >= columns ? 'border-t border-line' : ''}`}
          style={{ transform: `translateY(${start - scrollMargin}px)` }}
        >
          <RowContent row={rows[index]} isScrolling={virtualizer.isScrolling} />
        </li>
      ))}
    </ul>
  );
}

type RowContentProps = { row: Row | undefined; isScrolling: boolean };

/** While the page scrolls, only rows that come into view render, one after the other. */
const RowContent = memo(
  function RowContent({ row, isScrolling }: RowContentProps) {
    const [mustWait, setMustWait] = useState(isScrolling);
    useEffect(() => (mustWait ? waitForTurn(() => setMustWait(false)) : undefined), [mustWait]);
    return mustWait ? <div className="min-h-[72px] @2xl/content:min-h-16" /> : row?.render();
  },
  (before, now) => before.row === now.row,
);

/** Rows that have the focus or an open menu. */
const findInUse = (list: HTMLElement | null): number[] =>
  [
    ...(list?.querySelectorAll<HTMLElement>('li:is(:focus-within, :has([aria-expanded=true]))') ??
      []),
  ].map((row) => Number(row.dataset.index));

/** Keeps years far from the viewport empty: the virtualizer would render a screenful of each. */
function useIsNear(element: React.RefObject<HTMLElement | null>): boolean {
  const [isNear, setIsNear] = useState(true);
  useEffect(() => {
    if (!element.current) return;
    const observer = new IntersectionObserver(
      (entries) => setIsNear(entries.at(-1)?.isIntersecting ?? true),
      { rootMargin: NEAR },
    );
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element]);
  return isNear;
}

const columnClass = (columns: number, lane: number): string => {
  if (columns === 1) return 'inset-x-0';
  return lane === 0 ? 'left-0 right-[calc(50%+32px)]' : 'right-0 left-[calc(50%+32px)]';
};

type ListLayout = {
  /** Where the list starts on the page. Content above it may change height. */
  offset: number;
  /** Rows that were never in view take up this much. It depends on the width and the text size. */
  rowHeight: number;
  columns: number;
};

function useListLayout(element: React.RefObject<HTMLElement | null>): ListLayout {
  const [layout, setLayout] = useState({ offset: 0, rowHeight: ROW_HEIGHT, columns: 1 });
  useLayoutEffect(() => {
    const measure = () => {
      const list = element.current;
      if (!list) return;
      const row = list.lastElementChild?.getBoundingClientRect();
      const columns = Number(getComputedStyle(list).getPropertyValue('--columns')) || 1;
      const offset = Math.round(list.getBoundingClientRect().top + window.scrollY);
      setLayout((last) => {
        const rowHeight = row?.height ?? last.rowHeight;
        const next = { offset, rowHeight, columns };
        return isSameLayout(last, next) ? last : next;
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

import { defaultRangeExtractor, useWindowVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useLayoutEffect, useRef, useState, type ReactNode } from 'react';
import { useIsWide } from '#web/ui/use-is-wide.ts';

/** A row with its border. Must be exact, or rows that were never in view end up in the wrong place. */
const ROW_HEIGHT = { phone: 73, wide: 65 };
const OVERSCAN = 8;
const NEAR = '600px';

type VirtualRowsProps = {
  label: string;
  rows: readonly { key: string; render: () => ReactNode }[];
  setSize: number;
  isBusy: boolean;
};

/** Renders the rows in view, and the one in use so that it keeps the focus. */
export function VirtualRows({ label, rows, setSize, isBusy }: VirtualRowsProps) {
  const list = useRef<HTMLUListElement>(null);
  const scrollMargin = usePageOffset(list);
  const isNear = useIsNear(list);
  const rowHeight = useIsWide() ? ROW_HEIGHT.wide : ROW_HEIGHT.phone;
  // eslint-disable-next-line react/incompatible-library -- nothing here is memoised
  const virtualizer = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => rowHeight,
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
      className="relative"
      style={{ height: virtualizer.getTotalSize() }}
    >
      {virtualizer.getVirtualItems().map(({ key, index, start }) => (
        <li
          key={key}
          ref={virtualizer.measureElement}
          data-index={index}
          aria-setsize={setSize}
          aria-posinset={index + 1}
          className={`absolute inset-x-0 top-0 has-[[data-dragged]]:z-10 ${index > 0 ? 'border-t border-line' : ''}`}
          style={{ transform: `translateY(${start - scrollMargin}px)` }}
        >
          {rows[index]?.render()}
        </li>
      ))}
    </ul>
  );
}

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

/** Where the list starts on the page. Content above it may change height. */
function usePageOffset(element: React.RefObject<HTMLElement | null>): number {
  const [offset, setOffset] = useState(0);
  useLayoutEffect(() => {
    const measure = () => {
      if (element.current)
        setOffset(Math.round(element.current.getBoundingClientRect().top + window.scrollY));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, [element]);
  return offset;
}

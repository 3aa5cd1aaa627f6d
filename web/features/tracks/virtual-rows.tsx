import { defaultRangeExtractor, useWindowVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useLayoutEffect, useRef, useState, type ReactNode } from 'react';
import { useIsWide } from '#web/features/player/use-is-wide.ts';

/** Of a row and the line above it. Exact, or places that were never in sight would not be where they seem. */
const ROW_HEIGHT = { phone: 73, wide: 65 };
const OVERSCAN = 8;
const NEAR = '600px';

type VirtualRowsProps = {
  label: string;
  rows: readonly { key: string; render: () => ReactNode }[];
  setSize: number;
  isBusy: boolean;
};

/** Only what is in sight of the window, and the row in use: it must not vanish under the focus. */
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
          className={`absolute inset-x-0 top-0 has-[[data-lifted]]:z-10 ${index > 0 ? 'border-t border-line' : ''}`}
          style={{ transform: `translateY(${start - scrollMargin}px)` }}
        >
          {rows[index]?.render()}
        </li>
      ))}
    </ul>
  );
}

/** The row that has the focus or whose menu is open. */
const findInUse = (list: HTMLElement | null): number[] =>
  [
    ...(list?.querySelectorAll<HTMLElement>('li:is(:focus-within, :has([aria-expanded=true]))') ??
      []),
  ].map((row) => Number(row.dataset.index));

/** False for most years of a library: the virtualiser would keep a windowful of each that was passed. */
function useIsNear(element: React.RefObject<HTMLElement | null>): boolean {
  const [isNear, setIsNear] = useState(true);
  useEffect(() => {
    if (!element.current) return;
    const watch = new IntersectionObserver(
      (entries) => setIsNear(entries.at(-1)?.isIntersecting ?? true),
      { rootMargin: NEAR },
    );
    watch.observe(element.current);
    return () => watch.disconnect();
  }, [element]);
  return isNear;
}

/** Where on the page the list begins. What stands above it may change its height. */
function usePageOffset(element: React.RefObject<HTMLElement | null>): number {
  const [offset, setOffset] = useState(0);
  useLayoutEffect(() => {
    const measure = () => {
      if (element.current)
        setOffset(Math.round(element.current.getBoundingClientRect().top + window.scrollY));
    };
    measure();
    const watch = new ResizeObserver(measure);
    watch.observe(document.body);
    return () => watch.disconnect();
  }, [element]);
  return offset;
}

import {
  memo,
  Suspense,
  useCallback,
  useDeferredValue,
  useEffect,
  useMemo,
  useRef,
  useState,
  type ReactNode,
} from 'react';
import { flushSync } from 'react-dom';
import type { Track } from '#contract/tracks.ts';
import { useCurrentUser } from '#web/lib/api/current-user.ts';
import { isOpenedByLink } from '#web/lib/location/opened-by-link.ts';
import { createFrameQueue } from '#web/lib/schedule/schedule.ts';
import { lazyComponent } from '#web/lib/schedule/lazy-component.ts';
import { useIsRendered } from '#web/lib/format/now.ts';
import type { RowsView, ShownRow } from './rows-in-view.tsx';
import { TrackRow, type TrackRowProps } from './track-row.tsx';

/** Shorter lists render in full: the browser can search them, and they need no extra code. */
const VIRTUAL_FROM = 40;

/** The server renders these rows of a long list: about a screenful. */
const RENDERED_ROWS = 24;

/** A row with its border, about, until one has been measured. */
export const ROW_HEIGHT = 65;

/** A page that a link opens shows these at once, a phone’s screenful, and the others after them. */
const FIRST_ROWS = 8;

const RowsInView = lazyComponent(() => import('./rows-in-view.tsx'), 'RowsInView');

export type TrackRowsProps = {
  /** The name of the list, for screen readers. */
  label: string;
  tracks: readonly Track[];
  /** What plays after a row; defaults to `tracks`, which may be part of a longer list. */
  queue?: readonly Track[];
  /** The name the queue shows after “Continuing from”; defaults to `label`. */
  source?: string | undefined;
  /** False while there are more pages. */
  isComplete?: boolean;
  isBusy?: boolean;
  /**
   * Two columns where there is room, filled across as a list grows, or down where the order counts.
   * Not for lists that people reorder.
   */
  columns?: 'across' | 'down' | 'none';
  /** How many rows show at once when a link opens the page; fewer below something large. */
  firstRows?: number;
  /** For rows that show more: returns `<TrackRow {...row} lead={…} />`. */
  renderRow?: ((row: TrackRowProps, index: number) => ReactNode) | undefined;
};

const renderPlainRow = (row: TrackRowProps) => <TrackRow {...row} />;

/** Isolated, so that the rows aren't painted again when something else on the page changes. */
const listClass = {
  across: 'two-columns',
  down: 'rows-down',
  none: '@double/content:max-w-[1400px]',
};

/** A line above every row but the first, or the first two where there are two columns. */
const lineClass = (index: number, isAcross: boolean): string => {
  if (index === 0) return '';
  return index === 1 && isAcross
    ? 'border-line @max-double/content:border-t'
    : 'border-t border-line';
};

/** Next to the lines of a grid, in its column. */
const outOfLineClass = (index: number): string =>
  `absolute inset-x-0 ${index % 2 ? '@double/content:col-start-2' : '@double/content:col-end-2'}`;

/** The rows of a list; for a long one only those in view. */
export function TrackRows({
  label,
  tracks,
  queue = tracks,
  source = label,
  isComplete = true,
  isBusy = false,
  columns = 'across',
  firstRows = FIRST_ROWS,
  renderRow = renderPlainRow,
}: TrackRowsProps) {
  const { user } = useCurrentUser();
  const getQueue = useGetter(queue);
  const shared = useMemo(() => ({ getQueue, source, user }), [getQueue, source, user]);
  const list = useRef<HTMLUListElement>(null);
  const isLong = queue.length >= VIRTUAL_FROM;
  const [found, setFound] = useState<RowsView | null>(null);
  const view = isLong ? found : null;
  const start = useFirstRows(tracks.length, isLong, firstRows);
  return (
    <>
      <ul
        ref={list}
        aria-label={label}
        aria-busy={isBusy}
        className={`isolate relative ${listClass[columns]}`}
        style={
          view
            ? { height: view.height, paddingTop: view.space }
            : isLong
              ? { minHeight: tracks.length * ROW_HEIGHT }
              : undefined
        }
      >
        {(view?.rows ?? start).map(({ index, top }) => {
          const track = tracks[index];
          if (!track) return null;
          return (
            <li
              key={track.id}
              ref={view?.measureRow}
              data-index={view ? index : undefined}
              aria-setsize={isComplete ? tracks.length : -1}
              aria-posinset={index + 1}
              className={`${lineClass(index, columns === 'across')} ${top === undefined ? '' : outOfLineClass(index)}`}
              style={top === undefined ? undefined : { top }}
            >
              <Row
                track={track}
                index={index}
                shared={shared}
                render={renderRow}
                mustWait={view !== null}
              />
            </li>
          );
        })}
      </ul>
      {isLong && (
        <Suspense fallback={null}>
          <RowsInView list={list} tracks={tracks} onChange={setFound} />
        </Suspense>
      )}
    </>
  );
}

/** The same function for every value, so that rows don't change when their list grows. */
function useGetter<T>(value: T): () => T {
  const latest = useRef(value);
  useEffect(() => {
    latest.current = value;
  }, [value]);
  return useCallback(() => latest.current, []);
}

/** The rows to render before the virtualizer has measured; often it does so at once. */
function useFirstRows(count: number, isLong: boolean, firstRows: number): ShownRow[] {
  const isRendered = useIsRendered();
  const [wasLong] = useState(isLong);
  const isWhole = useDeferredValue(true, isRendered || !isOpenedByLink());
  // More rows render in pieces: scrolling goes first.
  const wanted = useDeferredValue(Math.min(count, VIRTUAL_FROM));
  // Another year of a list may be far below.
  const rowsOfNewList = isOpenedByLink() ? firstRows : 0;
  const rowsOfLongList = isRendered ? RENDERED_ROWS : rowsOfNewList;
  const rowsOfShortList = isWhole ? wanted : firstRows;
  const shown = Math.min(count, isLong && wasLong ? rowsOfLongList : rowsOfShortList);
  return useMemo(() => Array.from({ length: shown }, (_, index) => ({ index })), [shown]);
}

type RowProps = {
  track: Track;
  index: number;
  shared: Pick<TrackRowProps, 'getQueue' | 'source' | 'user'>;
  render: (row: TrackRowProps, index: number) => ReactNode;
  mustWait: boolean;
};

/** Apart from other work and with more of each frame, so that rows come as soon as they can. */
const runInTurn = createFrameQueue(8);

/** Rows that come into view render one after the other, so that a slow device can scroll. */
const Row = memo(
  function Row({ track, index, shared, render, mustWait }: RowProps) {
    const [isWaiting, setIsWaiting] = useState(mustWait);
    const place = useRef<HTMLDivElement>(null);
    useEffect(() => {
      if (!isWaiting) return;
      return runInTurn(() => {
        const item = place.current?.parentElement;
        flushSync(() => setIsWaiting(false));
        // Its style and layout count too, and are not left to the next frame.
        item?.getBoundingClientRect();
      });
    }, [isWaiting]);
    if (isWaiting) return <div ref={place} className="min-h-[72px] @2xl/content:min-h-16" />;
    return render({ track, ...shared }, index);
  },
  (before, now) =>
    before.track === now.track &&
    before.index === now.index &&
    before.shared === now.shared &&
    before.render === now.render,
);

import { Suspense, useDeferredValue, useMemo, type ReactNode } from 'react';
import type { Track } from '#contract/tracks.ts';
import { useCurrentUser } from '#web/lib/current-user.ts';
import { isOpenedByLink } from '#web/lib/hooks/opened-by-link.ts';
import { TrackRow, type TrackRowProps } from './track-row.tsx';
import { lazyComponent } from '#web/lib/lazy-component.ts';

/** Shorter lists render in full: the browser can search them, and they need no extra code. */
const VIRTUAL_FROM = 60;

/** A page that a link opens shows these at once, about a screenful, and the others after them. */
const FIRST_ROWS = 8;

const VirtualRows = lazyComponent(() => import('./virtual-rows.tsx'), 'VirtualRows');

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
  /** Two columns where there is room. Not for lists that people reorder. */
  hasColumns?: boolean;
  /** For rows that show more: returns `<TrackRow {...row} lead={…} />`. */
  renderRow?: ((row: TrackRowProps, index: number) => ReactNode) | undefined;
};

const renderPlainRow = (row: TrackRowProps) => <TrackRow {...row} />;

/** Isolated, so that the rows aren't painted again when something else on the page changes. */
const listClass = {
  columns: 'isolate @double/content:grid @double/content:grid-cols-2 @double/content:gap-x-16',
  single: 'isolate @double/content:max-w-[1400px]',
};
const itemClass = {
  columns: 'border-t border-line first:border-0 @double/content:nth-2:border-0',
  single: 'border-t border-line first:border-0',
};

/** The rows of a list; for a long one only those in view. */
export function TrackRows({
  label,
  tracks,
  queue = tracks,
  source = label,
  isComplete = true,
  isBusy = false,
  hasColumns = true,
  renderRow = renderPlainRow,
}: TrackRowsProps) {
  const { user } = useCurrentUser();
  const setSize = isComplete ? tracks.length : -1;
  const rows = useMemo(
    () =>
      tracks.map((track, index) => ({
        key: track.id,
        render: () => renderRow({ track, queue, source, user }, index),
      })),
    [tracks, queue, source, user, renderRow],
  );
  // The change replaces every row in view, in pieces: scrolling goes first.
  const isLong = useDeferredValue(queue.length >= VIRTUAL_FROM);
  const isWhole = useDeferredValue(true, !isOpenedByLink());
  const look = hasColumns ? 'columns' : 'single';
  // The start of a long list, shown until the code for virtual rows has loaded.
  const plain = (
    <ul aria-label={label} aria-busy={isBusy} className={listClass[look]}>
      {rows.slice(0, isWhole ? VIRTUAL_FROM : FIRST_ROWS).map(({ key, render }, index) => (
        <li key={key} aria-setsize={setSize} aria-posinset={index + 1} className={itemClass[look]}>
          {render()}
        </li>
      ))}
    </ul>
  );
  if (!isLong) return plain;
  return (
    <Suspense fallback={plain}>
      <VirtualRows
        label={label}
        rows={rows}
        setSize={setSize}
        isBusy={isBusy}
        hasColumns={hasColumns}
      />
    </Suspense>
  );
}

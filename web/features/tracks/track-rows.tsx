import { Suspense, type ReactNode } from 'react';
import type { Track } from '#contract/tracks.ts';
import { useCurrentUser } from '#web/lib/current-user.ts';
import { TrackRow, type TrackRowProps } from './track-row.tsx';
import { lazyComponent } from '#web/lib/lazy-component.ts';

/** Shorter lists render in full: the browser can search them, and they need no extra code. */
const VIRTUAL_FROM = 60;

const VirtualRows = lazyComponent(() => import('./virtual-rows.tsx'), 'VirtualRows');

export type TrackRowsProps = {
  /** The name of the list, for screen readers. */
  label: string;
  tracks: readonly Track[];
  /** What plays after a row; defaults to `tracks`, which may be part of a longer list. */
  queue?: readonly Track[];
  /** False while there are more pages. */
  isComplete?: boolean;
  isBusy?: boolean;
  /** For rows that show more: returns `<TrackRow {...row} lead={…} />`. */
  renderRow?: ((row: TrackRowProps, index: number) => ReactNode) | undefined;
};

const listItemClass = 'border-t border-line first:border-0';

/** The rows of a list; for a long one only those in view. */
export function TrackRows({
  label,
  tracks,
  queue = tracks,
  isComplete = true,
  isBusy = false,
  renderRow = (row) => <TrackRow {...row} />,
}: TrackRowsProps) {
  const { user } = useCurrentUser();
  const setSize = isComplete ? tracks.length : -1;
  const rows = tracks.map((track, index) => ({
    key: track.id,
    render: () => renderRow({ track, queue, user }, index),
  }));
  // The start of a long list, shown until the code for virtual rows has loaded.
  const plain = (
    <ul aria-label={label} aria-busy={isBusy}>
      {rows.slice(0, VIRTUAL_FROM).map(({ key, render }, index) => (
        <li key={key} aria-setsize={setSize} aria-posinset={index + 1} className={listItemClass}>
          {render()}
        </li>
      ))}
    </ul>
  );
  if (queue.length < VIRTUAL_FROM) return plain;
  return (
    <Suspense fallback={plain}>
      <VirtualRows label={label} rows={rows} setSize={setSize} isBusy={isBusy} />
    </Suspense>
  );
}

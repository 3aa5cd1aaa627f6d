import { lazy, Suspense, type ReactNode } from 'react';
import type { Track } from '#contract/tracks.ts';
import { useCurrentUser } from '#web/lib/current-user.ts';
import { TrackRow, type TrackRowProps } from './track-row.tsx';

/** Shorter lists stand there whole: they can be searched in the page and need no more code. */
const VIRTUAL_FROM = 60;

const VirtualRows = lazy(() =>
  import('./virtual-rows.tsx').then((module) => ({ default: module.VirtualRows })),
);

export type TrackRowsProps = {
  /** What the list is, read aloud. */
  label: string;
  tracks: readonly Track[];
  /** What plays on after a row; the tracks themselves unless they are a part of a longer list. */
  queue?: readonly Track[];
  /** False while there are more than these. */
  isComplete?: boolean;
  isBusy?: boolean;
  /** For a list whose rows say more: renders `<TrackRow {...row} lead={…} />`. */
  renderRow?: ((row: TrackRowProps, index: number) => ReactNode) | undefined;
};

export const listItemClass = 'border-t border-line first:border-0';

/** The rows of a list, all of them or, of a long one, those that are in sight. */
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
  // Of a long list its beginning, which is all that is seen until the code for the rest arrives.
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

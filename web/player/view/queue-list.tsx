import { useLayoutEffect, useMemo, useRef, type ReactNode, type RefObject } from 'react';
import type { Track } from '#contract/tracks.ts';
import { formatCount } from '#web/lib/format/format.ts';
import { showToast } from '#web/lib/store/toasts.ts';
import { moveInQueue, restoreRemoved, type Removal } from '#web/player/machine/queue-edits.ts';
import { findUpNextEnd } from '#web/player/machine/queue.ts';
import { usePlayer, usePlayerState } from '#web/player/use-player.ts';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { findScroller } from '#web/ui/reorder/drag-pointer.ts';
import { rowOffset } from '#web/ui/reorder/reorder.ts';
import { DragHandle, ReorderAnnouncer, ReorderRow } from '#web/ui/reorder/reorder-row.tsx';
import { useReorder } from '#web/ui/reorder/use-reorder.ts';
import { Tag } from '#web/ui/tag.tsx';
import { QueueRow } from './queue-row.tsx';

export const QUEUE_TITLE = 'Current Queue';

/** Undoes a removal. Returns false, and says so, if there is nothing left to undo. */
function useUndoRemoval() {
  const player = usePlayer();
  return (removal: Removal): boolean => {
    const { queue } = player.store.get();
    player.editQueue((now, currentTrack) => restoreRemoved(now, removal, currentTrack));
    const isUndone = player.store.get().queue !== queue;
    if (!isUndone)
      showToast({
        title: 'Nothing to bring back',
        description: 'The queue has changed since then.',
      });
    return isUndone;
  };
}

/** The number of tracks, and a button to clear them. */
export function QueueHead() {
  const player = usePlayer();
  const undoRemoval = useUndoRemoval();
  const button = useRef<HTMLButtonElement>(null);
  const total = usePlayerState((state) => state.queue.length);
  const clear = () => {
    if (total === 0) return;
    const before = player.store.get();
    player.clear();
    const undo = () => {
      undoRemoval({ before, indexes: [...before.queue.keys()] });
      button.current?.focus();
    };
    showToast({
      title: 'Queue cleared',
      description: formatCount(total, 'mix', 'mixes'),
      undo: { run: undo },
    });
  };
  return (
    <div className="flex flex-1 items-center @max-[24rem]/sheet:order-last @max-[24rem]/sheet:basis-full">
      <Tag>
        {total} {total === 1 ? 'track' : 'tracks'}
      </Tag>
      {/* A disabled button would lose the focus. */}
      <Button
        ref={button}
        variant="quiet"
        className="ml-auto"
        aria-disabled={total === 0}
        onClick={clear}
      >
        Clear
      </Button>
    </div>
  );
}

export function QueueFooter({ action }: { action?: ReactNode }) {
  const text = usePlayerState(({ currentTrackIndex, queue }) =>
    currentTrackIndex >= 0 ? `Now playing: ${currentTrackIndex + 1} of ${queue.length}` : 'None',
  );
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-3">
      <p>{text}</p>
      {action}
    </div>
  );
}

type RowActions = { onRemove: (index: number) => void };

/** What was played, what is playing, what the user queued, and the rest of the list. */
export function QueueList() {
  const player = usePlayer();
  const undoRemoval = useUndoRemoval();
  const queue = usePlayerState((state) => state.queue);
  const current = usePlayerState((state) => state.currentTrackIndex);
  const { frame, focusRow } = useRowFocus();
  useScrollToCurrent(frame);

  const onRemove = (index: number) => {
    const before = player.store.get();
    const track = before.queue[index];
    if (!track) return;
    focusRow(() => index);
    player.removeFromQueue(index);
    const undo = () => {
      focusRow(() => player.store.get().queue.findIndex(({ id }) => id === track.id));
      if (!undoRemoval({ before, indexes: [index] })) focusRow(null);
    };
    showToast({
      title: 'Removed from the queue',
      description: track.title,
      undo: { run: undo, plural: 'mixes removed from the queue' },
    });
  };
  return (
    <div ref={frame} tabIndex={-1} className="px-3 pb-2 outline-none">
      {queue.length === 0 && (
        <div className="px-3 py-5">
          <EmptyState
            title="Your queue is empty"
            text="Add tracks to your queue from the favorites or library page"
            headingLevel={3}
          />
        </div>
      )}
      {current > 0 && (
        <section aria-labelledby="queue-earlier">
          <SectionHeading id="queue-earlier">Earlier</SectionHeading>
          <ol>
            {queue.slice(0, current).map((track, index) => (
              <li key={`${track.id} ${index}`} className={rowClass}>
                <QueueRow track={track} index={index} onRemove={() => onRemove(index)} />
              </li>
            ))}
          </ol>
        </section>
      )}
      <CurrentTrack />
      <UpcomingTracks onRemove={onRemove} />
    </div>
  );
}

/** Rows far out of view aren't laid out: a queue can have hundreds. */
const rowClass = '[contain-intrinsic-block-size:auto_72px] [content-visibility:auto]';

function SectionHeading({ id, children }: { id: string; children: ReactNode }) {
  return (
    <h3 id={id} className="truncate px-3 pt-4 pb-1.5 type-kicker">
      {children}
    </h3>
  );
}

function CurrentTrack() {
  const track = usePlayerState(({ queue, currentTrackIndex }) => queue[currentTrackIndex]);
  const index = usePlayerState((state) => state.currentTrackIndex);
  if (!track) return null;
  return (
    <section aria-labelledby="queue-current" data-current>
      <SectionHeading id="queue-current">Now playing</SectionHeading>
      <ol>
        <li aria-current="true">
          <QueueRow track={track} index={index} />
        </li>
      </ol>
    </section>
  );
}

const UP_NEXT = 'Up next';
const HEADING_ID = 'queue-rest';
type UpcomingRow = { id: string; title: string; track: Track | null };

/** Tracks after the current one, which can be moved: also from one section to the other. */
function UpcomingTracks({ onRemove }: RowActions) {
  const player = usePlayer();
  const queue = usePlayerState((state) => state.queue);
  const current = usePlayerState((state) => state.currentTrackIndex);
  const upNextEnd = usePlayerState(findUpNextEnd);
  const rest = usePlayerState(({ source }) =>
    source ? `Continuing from ${source}` : 'Continuing',
  );
  const base = useMemo(
    () => buildRows(queue, { first: current + 1, upNextEnd, rest }),
    [queue, current, upNextEnd, rest],
  );
  const { list, rows, drag, announcement, handleProps } = useReorder(
    base,
    (move) =>
      player.editQueue((now) =>
        moveInQueue(now, {
          from: current + 1 + move.from,
          to: current + 1 + move.to,
          isQueued: !move.isBelowHeading,
        }),
      ),
    { headingId: HEADING_ID, sections: { above: UP_NEXT, below: rest } },
  );
  const headingAt = rows.findIndex(({ id }) => id === HEADING_ID);
  const queuedCount = headingAt === -1 ? rows.length : headingAt;
  const renderRow = ({ id, title, track }: UpcomingRow, at: number) => {
    const index = current + 1 + at - (at > queuedCount ? 1 : 0);
    return (
      track && (
        <li key={id} className={drag ? '' : rowClass}>
          <ReorderRow index={at} drag={drag}>
            <QueueRow
              track={track}
              index={index}
              lead={
                <DragHandle
                  id={id}
                  title={title}
                  drag={drag}
                  handleProps={handleProps}
                  className="scroll-my-16"
                />
              }
              onRemove={() => onRemove(index)}
            />
          </ReorderRow>
        </li>
      )
    );
  };
  return (
    <div ref={list}>
      <ReorderAnnouncer announcement={announcement} />
      {queuedCount > 0 && (
        <section aria-labelledby="queue-up-next">
          <SectionHeading id="queue-up-next">{UP_NEXT}</SectionHeading>
          <ol>{rows.slice(0, queuedCount).map(renderRow)}</ol>
        </section>
      )}
      {headingAt !== -1 && (
        <section aria-labelledby={HEADING_ID}>
          <div
            data-reorder-heading
            className={drag ? 'transition-transform duration-(--t-2) ease-out' : ''}
            style={drag ? { transform: `translateY(${rowOffset(headingAt, drag)}px)` } : undefined}
          >
            <SectionHeading id={HEADING_ID}>{rest}</SectionHeading>
          </div>
          <ol>{rows.slice(headingAt + 1).map((row, at) => renderRow(row, headingAt + 1 + at))}</ol>
        </section>
      )}
    </div>
  );
}

type Sections = { first: number; upNextEnd: number; rest: string };

/** The heading is a row, between the tracks that the listener queued and the rest of the list. */
function buildRows(
  queue: readonly Track[],
  { first, upNextEnd, rest }: Sections,
): readonly UpcomingRow[] {
  const copies = new Map<string, number>();
  const rows = queue.slice(first).map((track): UpcomingRow => {
    const copy = copies.get(track.id) ?? 0;
    copies.set(track.id, copy + 1);
    return { id: copy ? `${track.id} ${copy}` : track.id, title: track.title, track };
  });
  const heading = { id: HEADING_ID, title: rest, track: null };
  return upNextEnd < queue.length ? rows.toSpliced(upNextEnd - first, 0, heading) : rows;
}

/**
 * Removing a row also removes the focused button, so the focus moves to the row that takes its
 * place: one row after another can be removed. An undo returns the focus to the row it restores.
 */
function useRowFocus() {
  const frame = useRef<HTMLDivElement>(null);
  const findIndex = useRef<(() => number) | null>(null);
  useLayoutEffect(() => {
    const index = findIndex.current?.();
    findIndex.current = null;
    if (index === undefined || !frame.current) return;
    const rows = [...frame.current.querySelectorAll('li')];
    const row = rows[Math.min(index, rows.length - 1)];
    const buttons = row?.querySelectorAll('button') ?? [];
    // The current row has no remove button, only the one that plays it.
    ([...buttons].at(-1) ?? frame.current).focus();
  });
  return { frame, focusRow: (find: (() => number) | null) => (findIndex.current = find) };
}

/** The queue opens where playback is, not at its beginning. */
function useScrollToCurrent(frame: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const section = frame.current?.querySelector('[data-current]');
    if (!section) return;
    const scroller = findScroller(section);
    const top = section.getBoundingClientRect().top - scroller.getBoundingClientRect().top;
    scroller.scrollTop += top;
  }, [frame]);
}

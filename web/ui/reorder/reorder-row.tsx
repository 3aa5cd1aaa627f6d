import { GripVertical } from '#web/ui/icons.ts';
import type { CSSProperties, ReactNode } from 'react';
import { IconButton } from '#web/ui/icon-button.tsx';
import { rowOffset, type Drag } from './reorder.ts';
import type { useReorder } from './use-reorder.ts';

const HELP_ID = 'reorder-help';

/** For screen readers: how to use the handles, and what happens to the row being moved. */
export function ReorderAnnouncer({ announcement }: { announcement: string }) {
  return (
    <>
      <p id={HELP_ID} className="sr-only">
        Press Space to pick up, arrow keys to move, Space to drop, Escape to cancel.
      </p>
      <p aria-live="assertive" className="sr-only">
        {announcement}
      </p>
    </>
  );
}

type DragHandleProps = {
  id: string;
  title: string;
  drag: Drag | null;
  handleProps: ReturnType<typeof useReorder>['handleProps'];
  /** How far it stays from the edges of what scrolls. */
  className?: string;
};

/** On a page, the header and the player bar cover the edges. */
const PAGE_EDGES = 'scroll-mt-32 scroll-mb-[calc(var(--dock)+48px)]';

export function DragHandle(props: DragHandleProps) {
  const { id, title, drag, handleProps, className = PAGE_EDGES } = props;
  return (
    <IconButton
      label={`Move ${title}`}
      aria-describedby={HELP_ID}
      aria-pressed={drag?.id === id}
      className={`-mx-2.5 cursor-grab touch-none text-text-3 active:cursor-grabbing ${className}`}
      {...handleProps(id)}
    >
      <GripVertical />
    </IconButton>
  );
}

type ReorderRowProps = { index: number; drag: Drag | null; children: ReactNode };

/** Makes room for the row being moved, which follows the pointer or the keys. */
export function ReorderRow({ index, drag, children }: ReorderRowProps) {
  const isDragged = drag?.from === index;
  const isFollowingPointer = isDragged && drag.by === 'pointer';
  return (
    <div
      data-reorder-row
      data-dragged={isDragged || undefined}
      style={drag ? buildStyle(index, drag, isFollowingPointer) : undefined}
      className={`${drag && !isFollowingPointer ? 'transition-transform duration-(--t-2) ease-out' : ''} ${isDragged ? 'relative z-10 rounded-panel bg-raised shadow-overlay select-none' : ''}`}
    >
      {children}
    </div>
  );
}

const buildStyle = (index: number, drag: Drag, isFollowingPointer: boolean): CSSProperties => ({
  transform: isFollowingPointer
    ? 'translateY(var(--drag-offset, 0px))'
    : `translateY(${rowOffset(index, drag)}px)`,
});

import { GripVertical } from 'lucide-react';
import type { CSSProperties, ReactNode } from 'react';
import { IconButton } from '#web/ui/icon-button.tsx';
import { shiftOf, type Lift } from './reorder.ts';
import type { useReorder } from './use-reorder.ts';

const HELP_ID = 'reorder-help';

/** Said once for all handles, and what happens to a lifted row as it happens. */
export function ReorderWords({ words }: { words: string }) {
  return (
    <>
      <p id={HELP_ID} className="sr-only">
        Press Space to lift, the arrow keys to move, Space to put down, Escape to cancel.
      </p>
      <p aria-live="assertive" className="sr-only">
        {words}
      </p>
    </>
  );
}

type DragHandleProps = {
  id: string;
  title: string;
  lift: Lift | null;
  handleProps: ReturnType<typeof useReorder>['handleProps'];
};

export function DragHandle({ id, title, lift, handleProps }: DragHandleProps) {
  return (
    <IconButton
      label={`Move ${title}`}
      aria-describedby={HELP_ID}
      aria-pressed={lift?.id === id}
      className="-mx-2.5 cursor-grab touch-none scroll-mt-32 scroll-mb-[calc(var(--dock)+48px)] text-text-3 active:cursor-grabbing"
      {...handleProps(id)}
    >
      <GripVertical aria-hidden strokeWidth={1.75} />
    </IconButton>
  );
}

type ReorderRowProps = { index: number; lift: Lift | null; children: ReactNode };

/** Makes room for the row that is lifted; the lifted one goes where the pointer or the keys take it. */
export function ReorderRow({ index, lift, children }: ReorderRowProps) {
  const isLifted = lift?.from === index;
  const isCarried = isLifted && lift.by === 'pointer';
  return (
    <div
      data-reorder-row
      data-lifted={isLifted || undefined}
      style={lift ? styleOf(index, lift, isCarried) : undefined}
      className={`${lift && !isCarried ? 'transition-transform duration-(--t-2) ease-out' : ''} ${isLifted ? 'relative z-10 rounded-panel bg-raised shadow-overlay select-none' : ''}`}
    >
      {children}
    </div>
  );
}

const styleOf = (index: number, lift: Lift, isCarried: boolean): CSSProperties => ({
  transform: isCarried
    ? 'translateY(var(--carried, 0px))'
    : `translateY(${shiftOf(index, lift)}px)`,
});

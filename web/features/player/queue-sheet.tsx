import type { ReactNode } from 'react';
import { usePlayer } from '#web/player/use-player.ts';
import { Sheet, SheetContent } from '#web/ui/overlays/sheet.tsx';
import { QUEUE_TITLE, QueueFooter, QueueHead, QueueList } from './queue-list.tsx';
import { useIsWide } from '#web/ui/use-is-wide.ts';

type QueueSheetProps = {
  open: boolean;
  isExpanded: boolean;
  /** What else can be done with the queue. */
  action?: ReactNode;
};

/**
 * Where there is room it stays beside the page, which can be used meanwhile; on a phone it covers it.
 * The expanded player has a place of its own for it.
 */
export function QueueSheet({ open, isExpanded, action }: QueueSheetProps) {
  const player = usePlayer();
  const isWide = useIsWide();
  return (
    <Sheet
      open={open && !(isWide && isExpanded)}
      modal={!isWide}
      onOpenChange={(next) => next !== open && player.toggleQueue()}
    >
      <SheetContent
        side="adaptive"
        title={QUEUE_TITLE}
        headEnd={<QueueHead />}
        footer={<QueueFooter action={action} />}
        className="md:bottom-dock"
        onInteractOutside={(event) => isWide && event.preventDefault()}
      >
        <QueueList />
      </SheetContent>
    </Sheet>
  );
}

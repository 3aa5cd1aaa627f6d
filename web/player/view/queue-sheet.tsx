import type { ReactNode } from 'react';
import { usePlayer } from '#web/player/use-player.ts';
import { Sheet, SheetContent } from '#web/ui/overlays/sheet.tsx';
import { QUEUE_TITLE, QueueFooter, QueueHead, QueueList } from './queue-list.tsx';
import { useIsWide } from '#web/ui/use-is-wide.ts';

type QueueSheetProps = {
  open: boolean;
  isExpanded: boolean;
  /** Another action for the queue. */
  action?: ReactNode;
};

/**
 * On a wide screen it stays next to the page, which can still be used; on a phone it covers the page.
 * The expanded player shows the queue itself.
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

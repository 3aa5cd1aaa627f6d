import { usePlayer } from '#web/player/use-player.ts';
import { Sheet, SheetContent } from '#web/ui/sheet.tsx';
import { QUEUE_TITLE, QueueFooter, QueueHead, QueueList } from './queue-list.tsx';
import { useIsWide } from './use-is-wide.ts';

/**
 * Where there is room it stays beside the page, which can be used meanwhile; on a phone it covers it.
 * The expanded player has a place of its own for it.
 */
export function QueueSheet({ open, isExpanded }: { open: boolean; isExpanded: boolean }) {
  const player = usePlayer();
  const isWide = useIsWide();
  return (
    <Sheet open={open && !(isWide && isExpanded)} modal={!isWide} onOpenChange={player.toggleQueue}>
      <SheetContent
        side="adaptive"
        title={QUEUE_TITLE}
        headEnd={<QueueHead />}
        footer={<QueueFooter />}
        className="md:bottom-dock"
        onInteractOutside={(event) => isWide && event.preventDefault()}
      >
        <QueueList />
      </SheetContent>
    </Sheet>
  );
}

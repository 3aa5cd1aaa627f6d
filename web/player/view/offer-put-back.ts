import { formatCount } from '#web/lib/format/format.ts';
import { showToast } from '#web/lib/store/toasts.ts';
import type { Player } from '#web/player/create-player.ts';
import { listUpNext } from '#web/player/machine/queue-edits.ts';
import type { Queue } from '#web/player/machine/queue.ts';

/** After another list has replaced the queue: what the listener had queued can return to Up next. */
export function offerPutBack(player: Pick<Player, 'store' | 'addToQueue'>, before: Queue): void {
  const { currentTrack } = player.store.get();
  const queued = listUpNext(before).filter(({ id }) => id !== currentTrack?.id);
  const [first] = queued;
  if (!first) return;
  showToast({
    title: 'Your queue was replaced',
    description: queued.length === 1 ? first.title : formatCount(queued.length, 'mix', 'mixes'),
    undo: {
      label: 'Put back',
      run: () => player.store.get().currentTrack && queued.forEach(player.addToQueue),
    },
  });
}

import { ListPlus } from 'lucide-react';
import type { Track } from '#contract/tracks.ts';
import { showToast } from '#web/lib/toasts.ts';
import { usePlayer } from '#web/player/use-player.ts';
import { buttonClass } from '#web/ui/button.tsx';
import { iconButtonClass } from '#web/ui/icon-button.tsx';

type AddToQueueButtonProps = { track: Track; look?: 'icon' | 'framed' };

const LABEL = 'Add to queue';
const framedClass = buttonClass({ variant: 'line', className: 'max-md:w-11 max-md:px-0' });

export function AddToQueueButton({ track, look = 'icon' }: AddToQueueButtonProps) {
  const player = usePlayer();
  const isFramed = look === 'framed';

  function add(): void {
    const isQueued = player.store.get().queue.some((queued) => queued.id === track.id);
    player.addToQueue(track);
    showToast({
      title: isQueued ? 'Already in the queue' : 'Added to the queue',
      description: track.title,
    });
  }

  return (
    <button
      type="button"
      aria-label={LABEL}
      onClick={add}
      className={isFramed ? framedClass : iconButtonClass()}
    >
      <ListPlus aria-hidden strokeWidth={1.75} />
      {isFramed && <span className="max-md:hidden">{LABEL}</span>}
    </button>
  );
}

import { ListPlus } from 'lucide-react';
import type { Track } from '#contract/tracks.ts';
import { buttonClass } from '#web/ui/button.tsx';
import { iconButtonClass } from '#web/ui/icon-button.tsx';
import { useAddToQueue } from '../tracks/use-add-to-queue.ts';

type AddToQueueButtonProps = { track: Track; look?: 'icon' | 'framed' };

const LABEL = 'Add to queue';
const framedClass = buttonClass({ variant: 'line', className: 'max-md:w-11 max-md:px-0' });

export function AddToQueueButton({ track, look = 'icon' }: AddToQueueButtonProps) {
  const addToQueue = useAddToQueue();
  const isFramed = look === 'framed';
  return (
    <button
      type="button"
      aria-label={LABEL}
      onClick={() => addToQueue(track)}
      className={isFramed ? framedClass : iconButtonClass()}
    >
      <ListPlus aria-hidden strokeWidth={1.75} />
      {isFramed && <span className="max-md:hidden">{LABEL}</span>}
    </button>
  );
}

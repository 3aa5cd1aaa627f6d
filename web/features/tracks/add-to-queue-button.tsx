import { ListPlus } from 'lucide-react';
import type { Track } from '#contract/tracks.ts';
import { IconButton } from '#web/ui/icon-button.tsx';
import { useAddToQueue } from './use-add-to-queue.ts';

export function AddToQueueButton({ track }: { track: Track }) {
  const addToQueue = useAddToQueue();
  return (
    <IconButton label="Add to queue" onClick={() => addToQueue(track)}>
      <ListPlus aria-hidden strokeWidth={1.75} />
    </IconButton>
  );
}

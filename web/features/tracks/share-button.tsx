import { Share2 } from 'lucide-react';
import type { Track } from '#contract/tracks.ts';
import { IconButton } from '#web/ui/icon-button.tsx';
import { shareTrack } from './share-track.ts';

export function ShareButton({ track }: { track: Track }) {
  return (
    <IconButton label="Share" onClick={() => void shareTrack(track)}>
      <Share2 aria-hidden strokeWidth={1.75} />
    </IconButton>
  );
}

import type { Track } from '#contract/tracks.ts';
import { NoCover, Sleeve } from '#web/ui/art/sleeve.tsx';

export function PlayerSleeve({ track, className = '' }: { track: Track; className?: string }) {
  return (
    <Sleeve
      week={track.weekNumber}
      coverUrl={track.coverUrl}
      className={className}
      fallback={<NoCover className="size-full" />}
    />
  );
}

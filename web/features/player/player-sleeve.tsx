import type { Track } from '#contract/tracks.ts';
import { Sleeve } from '#web/ui/sleeve.tsx';

export function PlayerSleeve({ track, className = '' }: { track: Track; className?: string }) {
  return (
    <Sleeve
      week={track.weekNumber}
      coverUrl={track.coverUrl}
      className={className}
      fallback={
        <span className="grid size-full place-items-center text-center text-11 leading-tight text-text-3">
          No Cover
        </span>
      }
    />
  );
}

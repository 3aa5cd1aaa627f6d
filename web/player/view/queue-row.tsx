import { Pause, Play, X } from '#web/ui/icons.ts';
import type { ReactNode } from 'react';
import { describeTrack } from '#contract/artists/artist-names.ts';
import { formatDuration } from '#contract/rules/time.ts';
import type { Track } from '#contract/tracks.ts';
import { usePlayer, usePlayerState } from '#web/player/use-player.ts';
import { Equaliser } from '#web/ui/art/equaliser.tsx';
import { Sleeve } from '#web/ui/art/sleeve.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';

type QueueRowProps = {
  track: Track;
  index: number;
  /** A drag handle. */
  lead?: ReactNode;
  /** The current row can't be removed. */
  onRemove?: () => void;
};

/** Plays its track; the current one is paused and resumed instead. */
export function QueueRow({ track, index, lead, onRemove }: QueueRowProps) {
  const player = usePlayer();
  const isCurrent = usePlayerState((state) => state.currentTrackIndex === index);
  return (
    <div
      data-week={track.weekNumber}
      className={`grid min-h-[72px] grid-cols-[24px_minmax(0,1fr)_44px] items-center rounded-lg pr-1 ${isCurrent ? 'bg-week-wash-2' : ''}`}
    >
      <span>{lead}</span>
      <button
        type="button"
        className="group grid min-h-[72px] grid-cols-[28px_48px_minmax(0,1fr)_auto] items-center rounded-lg pr-2 text-left focus-visible:-outline-offset-2"
        onClick={() => (isCurrent ? player.togglePlay() : player.playTrackAt(index))}
      >
        <span className="grid place-items-center tabular text-text-3">
          {isCurrent ? <PlayingMark /> : index + 1}
        </span>
        <Sleeve isSmall week={track.weekNumber} trackId={track.id} coverUrl={track.coverUrl} />
        <span className="min-w-0 px-3">
          <span className={`block truncate font-semibold ${isCurrent ? 'text-week' : 'text-text'}`}>
            {track.title}
          </span>
          <span className="block truncate type-meta">{describeTrack(track)}</span>
        </span>
        <span className="type-meta tabular">{formatDuration(track.duration)}</span>
      </button>
      {onRemove && (
        <IconButton label={`Remove ${track.title} from the queue`} onClick={onRemove}>
          <X />
        </IconButton>
      )}
    </div>
  );
}

/** Says what a press does: to a pointer with an icon, to a screen reader in words. */
function PlayingMark() {
  const isPlaying = usePlayerState((state) => state.isPlaying);
  const isActive = usePlayerState((state) => state.isPlaying || state.isStarting);
  const Icon = isActive ? Pause : Play;
  return (
    <>
      <span className="sr-only">{isActive ? 'Pause' : 'Play'}</span>
      <span className="group-hover:hidden">
        <Equaliser isPlaying={isPlaying} />
      </span>
      <Icon className="size-4 fill-current text-week not-group-hover:hidden" strokeWidth={1} />
    </>
  );
}

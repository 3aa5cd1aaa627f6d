import { ListMusic, Maximize2, X } from '#web/ui/icons.ts';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { formatDuration } from '#contract/rules/format.ts';
import type { Track } from '#contract/tracks.ts';
import { selectPlayableSeconds } from '#web/player/preview-limit.ts';
import { usePlayer, usePlayerState } from '#web/player/use-player.ts';
import { IconButton } from '#web/ui/icon-button.tsx';
import { PlayerSleeve } from './player-sleeve.tsx';
import { SeekBar } from './seek-bar.tsx';
import { PlayToggle, VolumeControl } from './player-controls.tsx';

type PlayerBarProps = { track: Track; favorite: ReactNode };

const barClass =
  'fixed inset-x-0 bottom-[calc(var(--dock)-var(--player))] z-40 flex h-player items-center border-[color-mix(in_oklch,var(--week)_26%,var(--week-wash-2))] bg-week-wash-2 pr-1 pl-2 transition-colors duration-(--t-hue) md:grid md:grid-cols-[minmax(0,340px)_minmax(0,1fr)_auto] md:gap-7 md:border-t md:pr-[18px] md:pl-3 [&_button]:hover:bg-week-wash';

export function PlayerBar({ track, favorite }: PlayerBarProps) {
  return (
    <section aria-label="Player" data-week={track.weekNumber} className={barClass}>
      <ProgressLine />
      <Identity track={track} favorite={favorite} />
      <Transport track={track} />
      <Controls />
    </section>
  );
}

function Identity({ track, favorite }: PlayerBarProps) {
  const player = usePlayer();
  const isFull = usePlayerState((state) => state.isFullTrackAvailable);
  return (
    <div className="flex min-w-0 flex-1 items-center gap-2.5 md:gap-3">
      <button
        type="button"
        aria-label="Expand player"
        className="size-12 shrink-0 md:hidden"
        onClick={player.toggleExpanded}
      >
        <PlayerSleeve track={track} />
      </button>
      <span className="hidden size-14 shrink-0 md:block">
        <PlayerSleeve track={track} />
      </span>
      <div className="relative flex min-h-11 min-w-0 flex-col justify-center max-md:flex-1">
        <Link
          href={`/track/${track.id}`}
          className="block truncate font-semibold text-text underline-offset-2 after:absolute after:inset-0 hover:underline"
        >
          {track.title}
        </Link>
        <p className="truncate text-13 text-text-3">
          <span className="font-medium text-week">Week {track.weekNumber}</span>
          {!isFull && <span> · Preview</span>}
        </p>
      </div>
      {favorite}
    </div>
  );
}

function Transport({ track }: { track: Track }) {
  const time = usePlayerState((state) => Math.floor(state.currentTime));
  const max = usePlayerState(selectPlayableSeconds);
  return (
    <div className="flex min-w-0 items-center gap-3.5">
      <PlayToggle className="max-md:bg-transparent max-md:text-text" />
      <span className="hidden min-w-[34px] text-right text-12 tabular text-text-2 md:block">
        {formatDuration(time)}
      </span>
      <div className="hidden min-w-0 flex-1 md:block">
        <SeekBar track={track} look="bar" className="h-[34px]" />
      </div>
      <span className="hidden min-w-[34px] text-12 tabular text-text-2 md:block">
        {formatDuration(max)}
      </span>
    </div>
  );
}

function Controls() {
  const player = usePlayer();
  const isQueueVisible = usePlayerState((state) => state.isQueueVisible);
  const isExpanded = usePlayerState((state) => state.isExpanded);
  return (
    <div className="flex items-center">
      <VolumeControl className="hidden md:mr-2.5 md:flex" />
      <IconButton label="Queue" aria-expanded={isQueueVisible} onClick={player.toggleQueue}>
        <ListMusic />
      </IconButton>
      <IconButton
        label={isExpanded ? 'Minimise player' : 'Expand player'}
        className="max-md:hidden"
        onClick={player.toggleExpanded}
      >
        <Maximize2 />
      </IconButton>
      <IconButton label="Close player" onClick={player.close}>
        <X />
      </IconButton>
    </div>
  );
}

/** On a phone the waveform is in the expanded player; here a line shows the progress. */
function ProgressLine() {
  const share = usePlayerState((state) => {
    const max = selectPlayableSeconds(state);
    return max > 0 ? Math.round((state.currentTime / max) * 500) / 5 : 0;
  });
  return (
    <span
      aria-hidden
      className="absolute top-0 left-0 h-0.5 bg-week md:hidden"
      style={{ width: `${share}%` }}
    />
  );
}

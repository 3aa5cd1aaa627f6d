import { ListMusic, Maximize2, X } from '#web/ui/icons.ts';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { joinNames } from '#contract/artists/artist-names.ts';
import { formatDuration } from '#contract/rules/time.ts';
import type { Track } from '#contract/tracks.ts';
import { selectPlayableSeconds } from '#web/player/preview-limit.ts';
import { usePlayer, usePlayerState } from '#web/player/use-player.ts';
import { Sleeve } from '#web/ui/art/sleeve.tsx';
import { Dot } from '#web/ui/facts.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { SeekBar } from './seek-bar.tsx';
import { PlayToggle, VolumeControl } from './player-controls.tsx';

type PlayerBarProps = { track: Track; favorite: ReactNode; cast: ReactNode };

const barClass =
  'player-bar @container/player fixed inset-x-0 bottom-[calc(var(--dock)-var(--player))] z-40 h-player border-[color-mix(in_oklch,var(--week)_26%,var(--week-wash-2))] bg-week-wash-2 transition-colors duration-(--t-hue) md:border-t [&_button]:hover:bg-week-wash';
/** Laid out by its own width, so that large text gets the compact bar too. */
const rowClass =
  'flex h-full items-center pr-1 pl-2 @3xl/player:grid @3xl/player:grid-cols-[minmax(0,14.5rem)_minmax(0,1fr)_auto] @3xl/player:gap-4 @3xl/player:pl-3 @5xl/player:grid-cols-[minmax(0,17rem)_minmax(0,1fr)_auto] @5xl/player:gap-6 @5xl/player:pr-[18px] @7xl/player:grid-cols-[minmax(0,21.25rem)_minmax(0,1fr)_auto] @7xl/player:gap-7';

export function PlayerBar({ track, favorite, cast }: PlayerBarProps) {
  return (
    <section aria-label="Player" data-week={track.weekNumber} className={barClass}>
      <div className={rowClass}>
        <ProgressLine />
        <Identity track={track} favorite={favorite} />
        <Transport track={track} />
        <Controls cast={cast} />
      </div>
    </section>
  );
}

function Identity({ track, favorite }: Omit<PlayerBarProps, 'cast'>) {
  const player = usePlayer();
  const isFull = usePlayerState((state) => state.isFullTrackAvailable);
  return (
    <div className="flex min-w-0 flex-1 items-center gap-2.5 @3xl/player:gap-3">
      <div className="relative size-12 shrink-0 @3xl/player:size-14">
        <Sleeve
          week={track.weekNumber}
          trackId={track.id}
          coverUrl={track.coverUrl}
          caption="No Cover"
        />
        <button
          type="button"
          aria-label="Expand player"
          className="absolute inset-0 hover:bg-transparent! @3xl/player:hidden"
          onClick={player.toggleExpanded}
        />
      </div>
      <div className="relative flex min-h-11 min-w-0 flex-1 flex-col justify-center @3xl/player:flex-initial">
        <Link
          href={`/track/${track.id}`}
          className="block truncate font-semibold text-text underline-offset-2 after:absolute after:inset-0 hover:underline"
        >
          {track.title}
        </Link>
        <p className="truncate text-13 text-text-3">
          <span className="font-medium text-week">Week {track.weekNumber}</span>
          {!isFull && (
            <span>
              <Dot />
              Preview
            </span>
          )}
          {track.artists && (
            <span>
              <Dot />
              {joinNames(track.artists)}
            </span>
          )}
        </p>
      </div>
      {/* With large text on a small phone it is only in the expanded player. */}
      <span className="contents @max-3xs/player:hidden">{favorite}</span>
    </div>
  );
}

/** Times are at both ends of the waveform, or below it where there is less room. */
function Transport({ track }: { track: Track }) {
  const time = usePlayerState((state) => Math.floor(state.currentTime));
  const max = usePlayerState(selectPlayableSeconds);
  return (
    <div className="min-w-0 items-center @3xl/player:grid @3xl/player:grid-cols-[auto_1fr_1fr] @3xl/player:gap-x-3.5 @5xl/player:grid-cols-[auto_auto_minmax(0,1fr)_auto]">
      <PlayToggle className="row-span-2 @max-3xl/player:bg-transparent @max-3xl/player:text-text @5xl/player:row-span-1" />
      <span className="order-1 hidden text-12 tabular text-text-2 @3xl/player:block @5xl/player:order-none @5xl/player:min-w-[34px] @5xl/player:text-right">
        {formatDuration(time)}
      </span>
      <div className="col-span-2 hidden min-w-0 @3xl/player:block @5xl/player:col-span-1">
        <SeekBar track={track} look="bar" className="h-[34px]" />
      </div>
      <span className="order-1 hidden text-right text-12 tabular text-text-2 @3xl/player:block @5xl/player:order-none @5xl/player:min-w-[34px] @5xl/player:text-left">
        {formatDuration(max)}
      </span>
    </div>
  );
}

function Controls({ cast }: Pick<PlayerBarProps, 'cast'>) {
  const player = usePlayer();
  const isQueueVisible = usePlayerState((state) => state.isQueueVisible);
  const isExpanded = usePlayerState((state) => state.isExpanded);
  return (
    <div className="flex items-center">
      <VolumeControl className="hidden @3xl/player:flex @5xl/player:mr-2.5" />
      {/* On a phone it is in the expanded player. */}
      <span className="contents @max-3xl/player:hidden">{cast}</span>
      <IconButton label="Queue" aria-expanded={isQueueVisible} onClick={player.toggleQueue}>
        <ListMusic />
      </IconButton>
      <IconButton
        label={isExpanded ? 'Minimise player' : 'Expand player'}
        className="@max-3xl/player:hidden"
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

/** Without room the waveform is in the expanded player; here a line shows the progress. */
function ProgressLine() {
  const share = usePlayerState((state) => {
    const max = selectPlayableSeconds(state);
    return max > 0 ? Math.round((state.currentTime / max) * 500) / 5 : 0;
  });
  return (
    <span
      aria-hidden
      className="absolute top-0 left-0 h-0.5 bg-week @3xl/player:hidden"
      style={{ width: `${share}%` }}
    />
  );
}

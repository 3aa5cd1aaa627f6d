import { Pause, Play } from '#web/ui/icons.ts';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { User } from '#contract/accounts.ts';
import { formatDuration } from '#contract/rules/format.ts';
import type { Track } from '#contract/tracks.ts';
import { FavoriteButton } from '#web/features/favorites/favorite-button.tsx';
import { useIsWide } from '#web/ui/use-is-wide.ts';
import { useTrackPlayback, useWarmUp } from '#web/features/player/use-track-playback.ts';
import { formatCount } from '#web/lib/format.ts';
import { usePlayerState } from '#web/player/use-player.ts';
import { Equaliser } from '#web/ui/art/equaliser.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { Sleeve } from '#web/ui/art/sleeve.tsx';
import { ProgressMark } from './track-progress.tsx';
import { TrackMenuButton } from './track-menu-button.tsx';

export type TrackRowProps = {
  track: Track;
  /** The list it belongs to: playback continues from the row. */
  queue: readonly Track[];
  user: User | null;
  /** Before the sleeve: a rank, a week, a drag handle. */
  lead?: ReactNode;
  /** The title with highlighted search terms. */
  title?: ReactNode;
  /** Under the title, instead of the genre (and week and length on a phone). */
  note?: ReactNode;
  /** Columns on wide screens, instead of week and plays. */
  facts?: ReactNode;
  /** Items only this list has, at the top of the row's menu. */
  menuItems?: ReactNode;
};

/** One track of a list: 64 px high on wide screens, 72 px on a phone. */
export function TrackRow(row: TrackRowProps) {
  const { track, queue, user, lead, menuItems } = row;
  const { note = <TrackNote track={track} />, facts = <TrackColumns track={track} /> } = row;
  const isWide = useIsWide();
  const warmUp = useWarmUp(track);
  const isCurrent = usePlayerState((state) => state.currentTrack?.id === track.id);
  const href = `/track/${track.id}`;
  return (
    <div
      data-week={track.weekNumber}
      aria-current={isCurrent || undefined}
      className="group flex min-h-[72px] items-center gap-3.5 md:min-h-16"
      {...warmUp}
    >
      {lead}
      {isWide ? (
        <Link href={href} tabIndex={-1} aria-hidden className="w-12 shrink-0">
          <Sleeve week={track.weekNumber} coverUrl={track.coverUrl} />
        </Link>
      ) : (
        <span className="relative w-12 shrink-0">
          <Sleeve week={track.weekNumber} coverUrl={track.coverUrl} />
          <RowPlayButton track={track} queue={queue} look="sleeve" />
        </span>
      )}
      <div className="min-w-0 flex-1">
        <span className="flex items-center gap-2">
          {isCurrent && <PlayingMark />}
          <Link
            href={href}
            className={`truncate font-semibold hover:underline hover:underline-offset-4 ${isCurrent ? 'text-week' : ''}`}
          >
            {row.title ?? track.title}
          </Link>
        </span>
        <p className="truncate type-meta tabular">{note}</p>
      </div>
      {isWide ? (
        <>
          {facts}
          <span className="w-14 text-right type-meta tabular">
            <span className="sr-only">Length </span>
            {formatDuration(track.duration)}
          </span>
        </>
      ) : (
        user && <ProgressMark track={track} />
      )}
      <span className="flex shrink-0 items-center max-md:-mr-2.5 md:gap-0.5">
        <FavoriteButton track={track} user={user} name={track.title} shouldFetch={false} />
        {isWide && <RowPlayButton track={track} queue={queue} look="icon" />}
        <TrackMenuButton track={track} user={user} extraItems={menuItems} />
      </span>
    </div>
  );
}

/** `Gqom`, or on a phone, which has no columns, `Gqom · Week 40 · 59:20`. */
export function TrackNote({ track, hasWeek = false }: { track: Track; hasWeek?: boolean }) {
  return (
    <>
      {track.genre ?? 'Unknown Genre'}
      {/* Where the row shows the week as a numeral, the text is for screen readers. */}
      <span className={hasWeek ? 'sr-only' : 'md:sr-only'}> · Week {track.weekNumber}</span>
      <span className="md:hidden"> · {formatDuration(track.duration)}</span>
    </>
  );
}

function TrackColumns({ track }: { track: Track }) {
  return (
    <>
      <span aria-hidden className="w-12 type-numeral-small text-[26px]">
        {track.weekNumber}
      </span>
      <ProgressMark track={track} />
      <PlaysColumn track={track} />
    </>
  );
}

export function PlaysColumn({ track }: { track: Track }) {
  return (
    <span className="w-28 text-right type-meta tabular max-lg:hidden">
      {formatCount(track.plays, 'play')}
    </span>
  );
}

type RowPlayButtonProps = Pick<TrackRowProps, 'track' | 'queue'> & {
  /** A button at the end of the row, or the sleeve itself on a phone. */
  look: 'icon' | 'sleeve';
};

function RowPlayButton({ track, queue, look }: RowPlayButtonProps) {
  const { isActive, toggle } = useTrackPlayback(track, queue);
  const Icon = isActive ? Pause : Play;
  const play = track.access === 'full' ? 'Play' : 'Play preview';
  const label = `${isActive ? 'Pause' : play}: ${track.title}`;
  if (look === 'icon')
    return (
      <IconButton label={label} onClick={toggle}>
        <Icon />
      </IconButton>
    );
  return (
    <button
      type="button"
      aria-label={label}
      onClick={toggle}
      className="absolute inset-0 grid place-items-center"
    >
      <span className="grid size-7 place-items-center rounded-pill bg-play text-on-play [&_svg]:size-3.5 [&_svg]:fill-current">
        <Icon strokeWidth={1} />
      </span>
    </button>
  );
}

function PlayingMark() {
  return <Equaliser isPlaying={usePlayerState((state) => state.isPlaying)} />;
}

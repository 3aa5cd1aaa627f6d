import { Pause, Play } from '#web/ui/icons.ts';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { User } from '#contract/accounts.ts';
import { joinNames } from '#contract/artists/artist-names.ts';
import { formatDuration } from '#contract/rules/time.ts';
import type { Track } from '#contract/tracks.ts';
import { ListedFavoriteButton } from '#web/features/favorites/favorite-button.tsx';
import { useTrackPlayback, useWarmUp } from '#web/player/view/use-track-playback.ts';
import { formatCount } from '#web/lib/format/format.ts';
import { usePlayerState } from '#web/player/use-player.ts';
import { Equaliser } from '#web/ui/art/equaliser.tsx';
import { Dot } from '#web/ui/facts.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { Sleeve } from '#web/ui/art/sleeve.tsx';
import { EarlyAccess } from './early-access.tsx';
import { ProgressMark } from './track-progress.tsx';
import type { ExtraItem } from './track-menu.tsx';
import { TrackMenuButton } from './track-menu-button.tsx';

export type TrackRowProps = {
  track: Track;
  /** The list it belongs to: playback continues from the row. */
  getQueue: () => readonly Track[];
  /** The name of that list. */
  source: string;
  user: User | null;
  /** Before the sleeve: a rank, a week, a drag handle. */
  lead?: ReactNode;
  /** The title with highlighted search terms. */
  title?: ReactNode;
  /** Under the title, instead of the genre (and in a narrow row the week and the length). */
  note?: ReactNode;
  /** Columns of a wide row, instead of week and plays. */
  facts?: ReactNode;
  /**
   * Columns that narrow rows show too, instead of facts, and there instead of the progress and the
   * heart (which is in the menu too).
   */
  marks?: ReactNode;
  /** Items only this list has, at the top of the row's menu. */
  menuItems?: readonly ExtraItem[] | undefined;
};

/**
 * One track of a list: 64 px high with columns, 72 px where the content is too narrow for them.
 * Contained, so that it isn't painted again when another row comes or goes, with room at its ends
 * for the focus rings of its buttons.
 */
export function TrackRow(row: TrackRowProps) {
  const { track, getQueue, source, user, lead, marks, menuItems } = row;
  const { note = <TrackNote track={track} />, facts = <TrackColumns track={track} /> } = row;
  const warmUp = useWarmUp(track);
  const { isCurrent, isActive, toggle } = useTrackPlayback(track, getQueue, source);
  const play = track.access === 'full' ? 'Play' : 'Play preview';
  const playLabel = `${isActive ? 'Pause' : play}: ${track.title}`;
  const PlayIcon = isActive ? Pause : Play;
  const href = `/track/${track.id}`;
  return (
    <div
      data-week={track.weekNumber}
      aria-current={isCurrent || undefined}
      className="group -mx-4 flex min-h-[72px] items-center gap-2.5 px-4 contain-content @md/content:gap-3.5 @2xl/content:min-h-16"
      {...warmUp}
    >
      {lead}
      <span className="relative w-12 shrink-0">
        <Sleeve isSmall week={track.weekNumber} trackId={track.id} coverUrl={track.coverUrl} />
        {/* The sleeve of a narrow row plays; a wide row has a button for that. */}
        <button
          type="button"
          aria-label={playLabel}
          onClick={toggle}
          className="absolute inset-0 @2xl/content:hidden"
        />
        <Link
          href={href}
          tabIndex={-1}
          aria-hidden
          className="absolute inset-0 @max-2xl/content:hidden"
        />
      </span>
      <div className="min-w-0 flex-1">
        <span className="flex items-center gap-2">
          {isCurrent && <PlayingMark />}
          <Link
            href={href}
            className={`line-clamp-2 leading-tight font-semibold break-words hover:underline hover:underline-offset-4 @2xl/content:line-clamp-1 @2xl/content:leading-normal ${isCurrent ? 'text-week' : ''}`}
          >
            {row.title ?? track.title}
          </Link>
        </span>
        <p className="relative row-note type-meta tabular">
          <EarlyAccess track={track} end={<Dot />} />
          {note}
        </p>
      </div>
      {marks ?? <span className="contents @max-2xl/content:hidden">{facts}</span>}
      <span className="w-[3.5rem] shrink-0 text-right type-meta tabular @max-2xl/content:hidden">
        <span className="sr-only">Length </span>
        {formatDuration(track.duration)}
      </span>
      {!marks && user && <ProgressMark track={track} className="@2xl/content:hidden" />}
      <span className="flex shrink-0 items-center @max-2xl/content:-mr-2.5 @2xl/content:gap-0.5">
        <ListedFavoriteButton
          track={track}
          user={user}
          className={marks ? '@max-2xl/content:hidden' : ''}
        />
        <IconButton label={playLabel} onClick={toggle} className="@max-2xl/content:hidden">
          <PlayIcon />
        </IconButton>
        <TrackMenuButton track={track} user={user} extraItems={menuItems} />
      </span>
    </div>
  );
}

/** `Gqom`, or in a narrow row, which has no columns, `Gqom · Week 40 · 59:20`; artists come first. */
export function TrackNote({ track, hasWeek = false }: { track: Track; hasWeek?: boolean }) {
  const names = joinNames(track.artists);
  return (
    <>
      {names && (
        <>
          {names}
          <Dot />
        </>
      )}
      {track.genre ?? 'Unknown Genre'}
      {/* Where the row shows the week as a numeral, the text is for screen readers. */}
      <span className={hasWeek ? 'sr-only' : '@2xl/content:sr-only'}>
        <Dot />
        Week {track.weekNumber}
      </span>
      <span className="@2xl/content:hidden">
        <Dot />
        {formatDuration(track.duration)}
      </span>
    </>
  );
}

/** The week in front of a row, for lists in which people look for a week. */
export function WeekLead({ track }: { track: Track }) {
  return (
    <span
      aria-hidden
      className="w-[2.5rem] shrink-0 week-numeral text-[2.125rem] @2xl/content:w-[3.5rem] @2xl/content:text-40"
    >
      {track.weekNumber}
    </span>
  );
}

function TrackColumns({ track }: { track: Track }) {
  return (
    <>
      <span aria-hidden className="w-[3rem] week-numeral text-[1.625rem]">
        {track.weekNumber}
      </span>
      <ProgressMark track={track} />
      <PlaysColumn track={track} />
    </>
  );
}

export function PlaysColumn({ track }: { track: Track }) {
  return (
    <span className="w-[7rem] shrink-0 text-right type-meta tabular @max-4xl/content:hidden">
      {formatCount(track.plays, 'play')}
    </span>
  );
}

function PlayingMark() {
  return <Equaliser isPlaying={usePlayerState((state) => state.isPlaying)} />;
}

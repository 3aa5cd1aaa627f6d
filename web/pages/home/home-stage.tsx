import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Link } from 'wouter';
import type { User } from '#contract/accounts.ts';
import { formatWeekDays, type WeekOfYear } from '#contract/rules/weeks.ts';
import type { Track } from '#contract/tracks.ts';
import { DataLine } from '#web/player/view/data-line.tsx';
import { TrackPlayButton } from '#web/player/view/track-play-button.tsx';
import { TrackWaveform } from '#web/player/view/track-waveform.tsx';
import { EarlyAccess, formatPublicHour } from '#web/features/tracks/early-access.tsx';
import { earlyReleaseQuery } from '#web/features/tracks/api.ts';
import { usePlayer } from '#web/player/use-player.ts';
import { Numeral } from '#web/ui/art/numeral.tsx';
import { Sleeve } from '#web/ui/art/sleeve.tsx';
import { fitTitle } from '#web/ui/title-fit.ts';
import { useOpenedAt } from '#web/lib/format/now.ts';
import { PlayLabel, TrackFacts } from '#web/features/tracks/track-facts.tsx';
import {
  columnsClass,
  NUMERAL_SIZE,
  numeralClass,
  rowsClass,
  sleeveClass,
  stageClass,
  textClass,
  titleClass,
  waveformClass,
} from '#web/ui/stage-skeleton.tsx';
import { FavoriteButton } from '#web/features/favorites/favorite-button.tsx';
import { AddToQueueButton, DownloadButton } from '#web/features/tracks/track-buttons.tsx';

type HomeStageProps = {
  track: Track;
  tracks: readonly Track[];
  thisWeek: WeekOfYear;
  /** False when the user chose a week. */
  isNewest: boolean;
  user: User | null;
};

/** The newest mix, or the one of a chosen week, with its numeral and a play button. */
export function HomeStage({ track, tracks, thisWeek, isNewest, user }: HomeStageProps) {
  const player = usePlayer();
  const openedAt = useOpenedAt();
  // Most people who press play on Home press this one.
  useEffect(() => runOnFirstInput(() => player.warmUp(track)), [player, track]);
  const week = { year: track.year, week: track.weekNumber };
  const isThisWeek = week.year === thisWeek.year && week.week === thisWeek.week;
  return (
    <section data-week={track.weekNumber} aria-labelledby="this-week" className={stageClass}>
      <Numeral
        value={track.weekNumber}
        isDecorative
        hasNeighbor
        size={NUMERAL_SIZE}
        className={numeralClass}
      />
      <div className={`${columnsClass} ${rowsClass}`}>
        <div className={textClass}>
          <p className="type-kicker">
            {isThisWeek ? 'This week' : isNewest ? 'Latest mix' : `Week ${week.week}`},{' '}
            {formatWeekDays(week)}
          </p>
          <h1 id="this-week" style={fitTitle(track.title)} className={titleClass}>
            {track.title}
          </h1>
          {track.publishedAt > openedAt && (
            <p className="mb-1.5 min-h-[1.45em]">
              <EarlyAccess track={track} />
            </p>
          )}
          <TrackFacts track={track} />
          <div className="mt-4 flex w-full items-center gap-2.5 @3xl/content:mt-auto @3xl/content:pt-4">
            <TrackPlayButton track={track} queue={tracks} source="Home" size="xl" />
            <div className="mr-auto ml-1.5 @4xl/content:mr-3.5">
              <PlayLabel track={track} />
              <DataLine key={track.fileUrl} track={track} />
            </div>
            <span className="flex h-11 w-[98px] shrink-0 gap-2.5 md:h-10 md:w-[90px] @5xl/content:w-[140px]">
              <HomeActions track={track} user={user} />
            </span>
          </div>
        </div>
        <Link
          href={`/track/${track.id}`}
          aria-label={`Open ${track.title}, week ${track.weekNumber}`}
          className={sleeveClass}
        >
          <Sleeve isFirst week={track.weekNumber} trackId={track.id} coverUrl={track.coverUrl} />
        </Link>
        <div className={waveformClass}>
          <TrackWaveform track={track} className="min-h-[76px] md:min-h-[92px]" />
        </div>
      </div>
    </section>
  );
}

/** A week without a mix, or before its mix is out. */
export function EmptyHomeStage({ week, isThisWeek }: { week: WeekOfYear; isThisWeek: boolean }) {
  return (
    <section data-week={week.week} aria-labelledby="this-week" className={stageClass}>
      <Numeral
        value={week.week}
        isDecorative
        hasNeighbor
        size={NUMERAL_SIZE}
        className={numeralClass}
      />
      <div className={columnsClass}>
        <div className={`${textClass} @3xl/content:self-end`}>
          <p className="type-kicker">
            {isThisWeek ? 'This week' : week.year}, {formatWeekDays(week)}
          </p>
          <h1 id="this-week" style={fitTitle('Week')} className={titleClass}>
            Week {week.week}
          </h1>
          <p className="max-w-[44ch] type-lead">
            {isThisWeek ? <FirstRelease /> : 'There was no mix that week. Pick another week below.'}
          </p>
        </div>
        <div className={`${sleeveClass} @3xl/content:self-end`}>
          <Sleeve isFirst week={week.week} />
        </div>
      </div>
    </section>
  );
}

/** When the first mix of the site comes out, if that is planned. */
function FirstRelease() {
  const nextAt = useQuery(earlyReleaseQuery).data?.upcoming[0]?.at;
  const openedAt = useOpenedAt();
  return nextAt
    ? `The first mix comes out on ${formatPublicHour(nextAt, openedAt)}.`
    : 'No mix is out yet. The first one will play right here.';
}

const INPUTS = ['pointermove', 'pointerdown', 'keydown', 'scroll'];

let hasInput = false;

/** Runs once the user moves, presses or scrolls. A page that nobody touches stays light. */
function runOnFirstInput(run: () => void): () => void {
  if (hasInput) {
    run();
    return () => undefined;
  }
  const stop = () => INPUTS.forEach((input) => window.removeEventListener(input, start));
  function start(): void {
    hasInput = true;
    stop();
    run();
  }
  for (const input of INPUTS) window.addEventListener(input, start, { passive: true });
  return stop;
}

/** The buttons next to Play. */
function HomeActions({ track, user }: { track: Track; user: User | null }) {
  return (
    <>
      <FavoriteButton track={track} user={user} />
      <AddToQueueButton track={track} />
      {/* Without enough room only the mix’s own page has it. */}
      <span className="@max-5xl/content:hidden">
        <DownloadButton track={track} user={user} look="icon" />
      </span>
    </>
  );
}

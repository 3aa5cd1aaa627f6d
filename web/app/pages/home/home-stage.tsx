import { Suspense, useEffect } from 'react';
import { Link } from 'wouter';
import type { User } from '#contract/accounts.ts';
import { formatWeekDays, type WeekOfYear } from '#contract/rules/weeks.ts';
import type { Track } from '#contract/tracks.ts';
import { TrackPlayButton } from '#web/features/player/track-play-button.tsx';
import { usePlayer } from '#web/player/use-player.ts';
import { Numeral } from '#web/ui/art/numeral.tsx';
import { Sleeve } from '#web/ui/art/sleeve.tsx';
import { PlayLabel, TrackFacts } from '#web/features/tracks/track-facts.tsx';
import { useIsIdle } from '#web/app/use-is-idle.ts';
import { lazyComponent } from '#web/lib/lazy-component.ts';

const HomeActions = lazyComponent(() => import('./home-actions.tsx'), 'HomeActions');

const TrackWaveform = lazyComponent(
  () => import('#web/features/player/track-waveform.tsx'),
  'TrackWaveform',
);

const stageClass =
  'stage grid grid-cols-[auto_minmax(0,1fr)] gap-x-[18px] px-gutter pt-3.5 pb-[18px] xl:gap-x-11 xl:pt-[30px] xl:pb-7';
const textClass = 'max-xl:order-1 max-xl:col-span-full max-xl:mt-[18px] flex flex-col items-start';
const sleeveClass =
  'w-full max-w-[170px] self-end justify-self-end xl:w-56 xl:max-w-none xl:self-start';
const NUMERAL_SIZE = 'clamp(246px, 34vw, 496px)';
const numeralClass = '-ml-[0.012em] self-end';

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
  const isIdle = useIsIdle();
  // Most people who press play on Home press this one.
  useEffect(() => player.warmUp(track), [player, track]);
  const week = { year: track.year, week: track.weekNumber };
  const isThisWeek = week.year === thisWeek.year && week.week === thisWeek.week;
  return (
    <section data-week={track.weekNumber} aria-labelledby="this-week" className={stageClass}>
      <Numeral value={track.weekNumber} isDecorative size={NUMERAL_SIZE} className={numeralClass} />
      <div className="contents xl:grid xl:grid-cols-[minmax(0,1fr)_auto] xl:grid-rows-[auto_1fr] xl:gap-x-8 xl:gap-y-[22px]">
        <div className={textClass}>
          <p className="type-kicker">
            {isThisWeek ? 'This week' : isNewest ? 'Latest mix' : `Week ${week.week}`},{' '}
            {formatWeekDays(week)}
          </p>
          <h1
            id="this-week"
            className="my-2.5 type-display text-[46px] break-words md:my-3.5 md:text-[72px]"
          >
            {track.title}
          </h1>
          <TrackFacts track={track} />
          <div className="mt-4 flex w-full items-center gap-2.5 xl:mt-auto xl:pt-4">
            <TrackPlayButton track={track} queue={tracks} size="xl" />
            <PlayLabel track={track} className="mr-auto ml-1.5 md:mr-3.5" />
            <span className="flex h-11 w-[98px] shrink-0 gap-2.5 md:h-10 md:w-[90px] xl:w-[140px]">
              <Suspense fallback={null}>
                {isIdle && <HomeActions track={track} user={user} />}
              </Suspense>
            </span>
          </div>
        </div>
        <Link
          href={`/track/${track.id}`}
          aria-label={`Open ${track.title}, week ${track.weekNumber}`}
          className={sleeveClass}
        >
          <Sleeve week={track.weekNumber} coverUrl={track.coverUrl} />
        </Link>
        <div className="self-end max-xl:order-2 max-xl:col-span-full max-xl:mt-[18px] h-14 md:h-[92px] xl:col-span-full">
          <Suspense fallback={null}>
            {isIdle && <TrackWaveform track={track} className="h-14 md:h-[92px]" />}
          </Suspense>
        </div>
      </div>
    </section>
  );
}

/** A week without a mix, or before its mix is out. */
export function EmptyHomeStage({ week, isThisWeek }: { week: WeekOfYear; isThisWeek: boolean }) {
  return (
    <section data-week={week.week} aria-labelledby="this-week" className={stageClass}>
      <Numeral value={week.week} isDecorative size={NUMERAL_SIZE} className={numeralClass} />
      <div className="contents xl:grid xl:grid-cols-[minmax(0,1fr)_auto] xl:gap-8">
        <div className={`${textClass} xl:self-end`}>
          <p className="type-kicker">
            {isThisWeek ? 'This week' : week.year}, {formatWeekDays(week)}
          </p>
          <h1 id="this-week" className="my-2.5 type-display text-[46px] md:my-3.5 md:text-[72px]">
            Week {week.week}
          </h1>
          <p className="max-w-[44ch] type-lead">
            {isThisWeek
              ? 'This week’s mix isn’t out yet. It’ll be here the minute it drops.'
              : 'There was no mix that week. Pick another week below.'}
          </p>
        </div>
        <div className={`${sleeveClass} xl:self-end`}>
          <Sleeve week={week.week} />
        </div>
      </div>
    </section>
  );
}

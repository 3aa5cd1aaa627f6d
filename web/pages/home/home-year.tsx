import { useMemo } from 'react';
import { Link, useLocation } from 'wouter';
import { formatWeekKey, weeksInYear, type WeekOfYear } from '#contract/rules/weeks.ts';
import type { Track } from '#contract/tracks.ts';
import { useNextRelease } from '#web/features/tracks/next-release.ts';
import { formatCount } from '#web/lib/format/format.ts';
import { Sleeve } from '#web/ui/art/sleeve.tsx';
import { Facts } from '#web/ui/facts.tsx';
import { YearBars } from '#web/ui/art/year-bars.tsx';
import { useWeekSlider } from './use-week-slider.ts';
import { buildHomeBars, countProgress, describeWeek } from './year-progress.ts';

type HomeYearProps = {
  thisWeek: WeekOfYear;
  /** The week on the stage. */
  shownWeek: number;
  tracks: readonly Track[];
  /** Until then there is nothing to count. */
  isLoaded: boolean;
  isLoggedIn: boolean;
  /** Only full tracks can be finished, so only then does the summary count them. */
  hasFullAccess: boolean;
};

/** The year as one slider: each week with its mix and how much the user has listened to. */
export function HomeYear(props: HomeYearProps) {
  const { thisWeek, shownWeek, tracks, isLoaded, isLoggedIn, hasFullAccess } = props;
  const { year, week: current } = thisWeek;
  const [, navigate] = useLocation();
  const weeks = weeksInYear(year);
  const coming = useNextRelease(hasFullAccess);
  const next = coming?.year === year && !coming.isOut ? coming : undefined;
  const nextWeek = next?.weekNumber;
  const ofWeek = (week: number) => tracks.filter((track) => track.weekNumber === week);
  const describe = (week: number) =>
    describeWeek(week, ofWeek(week), { isLoggedIn, thisWeek: current, next });
  const open = (week: number) => {
    if (ofWeek(week).length === 0) return;
    navigate(week === current ? '/' : `/?week=${formatWeekKey({ year, week })}`);
    window.scrollTo({ top: 0 });
  };
  const bars = useMemo(
    () =>
      buildHomeBars(
        isLoggedIn ? tracks : tracks.map(withoutProgress),
        { year, week: current },
        nextWeek,
      ),
    [isLoggedIn, tracks, year, current, nextWeek],
  );
  const label = `Weeks of ${year}`;
  const { pointed, frame } = useWeekSlider({
    weeks,
    start: shownWeek,
    label,
    describe,
    onOpen: open,
  });
  return (
    <section
      aria-labelledby="year"
      className="border-b border-line px-gutter pt-5 pb-3.5 @lg/content:pt-[22px] @lg/content:pb-[18px]"
    >
      <div className="mb-1 flex flex-wrap items-center justify-between gap-x-5">
        <h2 id="year" className="type-section">
          {isLoggedIn ? (
            <Link
              href={`/year/${year}`}
              className="-my-2 inline-flex min-h-11 items-center underline-offset-4 hover:underline"
            >
              {year}
            </Link>
          ) : (
            year
          )}
        </h2>
        <div className={isLoaded ? '' : 'invisible'}>
          {hasFullAccess && tracks.length > 0 ? (
            <ProgressSummary tracks={tracks} />
          ) : (
            <p className="text-13 text-text-2">
              <b className="font-semibold text-text">
                {tracks.length > 0 ? formatCount(tracks.length, 'mix', 'mixes') : 'No mixes'}
              </b>{' '}
              so far
            </p>
          )}
        </div>
      </div>
      <div className="relative">
        {pointed !== null && (
          <WeekTooltip
            week={pointed}
            weeks={weeks}
            track={ofWeek(pointed)[0]}
            text={describe(pointed)}
            isLoggedIn={isLoggedIn}
          />
        )}
        <YearBars
          year={year}
          bars={bars}
          currentWeek={current}
          pointedWeek={pointed ?? (shownWeek === current ? null : shownWeek)}
          frame={frame}
        />
      </div>
    </section>
  );
}

const withoutProgress = (track: Track): Track => ({ ...track, progress: null });

function ProgressSummary({ tracks }: Pick<HomeYearProps, 'tracks'>) {
  const { finished, started, toGo } = countProgress(tracks);
  return (
    <div className="flex items-center gap-4 text-13 text-text-2">
      <p>
        <Facts>
          <b className="font-semibold text-text">{finished} heard</b>
          {started > 0 && `${started} started`}
          {`${toGo} to go`}
        </Facts>
      </p>
      <p aria-hidden className="flex items-center gap-4 @max-lg/content:hidden">
        <span className="flex items-center gap-1.5">
          <i className="h-3 w-1.5 rounded-[1.5px] bg-text-2" /> Heard
        </span>
        <span className="flex items-center gap-1.5">
          <i className="h-3 w-1.5 rounded-[1.5px] shadow-[inset_0_0_0_1.5px_var(--text-2)]" />{' '}
          Unheard
        </span>
        <span className="flex items-center gap-1.5">
          <i className="h-0.5 w-1.5 bg-text-3" /> No mix
        </span>
      </p>
    </div>
  );
}

type WeekTooltipProps = {
  week: number;
  weeks: number;
  track: Track | undefined;
  text: string;
  isLoggedIn: boolean;
};

/** Describes the week under the pointer. Screen readers get the same text from the slider. */
function WeekTooltip({ week, weeks, track, text, isLoggedIn }: WeekTooltipProps) {
  const share = ((week - 0.5) / weeks) * 100;
  const [, ...rest] = text.split(', ');
  // Whether it was heard is what people look for, so it comes first.
  const facts = track
    ? [isLoggedIn && rest.at(-1), `week ${week}`, track.genre].filter(Boolean).join(' · ')
    : rest.join(', ');
  return (
    <div
      aria-hidden
      data-week={week}
      className="week-peek"
      style={{ left: `${share}%`, transform: `translateX(-${share}%)` }}
    >
      {track && (
        <span className="w-11 shrink-0">
          <Sleeve week={week} trackId={track.id} coverUrl={track.coverUrl} />
        </span>
      )}
      <span className="min-w-0">
        <strong className="block font-semibold">{track?.title ?? `Week ${week}`}</strong>
        <span className="block type-meta first-letter:uppercase">{facts}</span>
      </span>
    </div>
  );
}

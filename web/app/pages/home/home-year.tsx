import { useLocation } from 'wouter';
import { formatWeekKey, weeksInYear, type WeekOfYear } from '#contract/rules/weeks.ts';
import type { Track } from '#contract/tracks.ts';
import { YearBars } from '#web/ui/art/year-bars.tsx';
import { useWeekSlider } from './use-week-slider.ts';
import { WeekPeek } from './week-peek.tsx';
import { barsOfYear, countYear, describeWeek } from './year-progress.ts';

type HomeYearProps = {
  thisWeek: WeekOfYear;
  /** The week on the stage. */
  shownWeek: number;
  tracks: readonly Track[];
  isMember: boolean;
};

/** The year as one slider: every week with what came out in it and how much of it was heard. */
export function HomeYear({ thisWeek, shownWeek, tracks, isMember }: HomeYearProps) {
  const { year, week: current } = thisWeek;
  const [, navigate] = useLocation();
  const weeks = weeksInYear(year);
  const ofWeek = (week: number) => tracks.filter((track) => track.weekNumber === week);
  const describe = (week: number) =>
    describeWeek(week, ofWeek(week), { isMember, thisWeek: current });
  const open = (week: number) => {
    if (ofWeek(week).length === 0) return;
    navigate(week === current ? '/' : `/?week=${formatWeekKey({ year, week })}`);
    window.scrollTo({ top: 0 });
  };
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
      className="border-b border-line px-gutter pt-5 pb-3.5 md:pt-[22px] md:pb-[18px]"
    >
      <div className="mb-1 flex flex-wrap items-center justify-between gap-x-5">
        <h2 id="year" className="type-section">
          {year}
        </h2>
        <YearSummary tracks={tracks} isMember={isMember} />
      </div>
      <div className="relative">
        {pointed !== null && (
          <WeekPeek
            week={pointed}
            weeks={weeks}
            track={ofWeek(pointed)[0]}
            words={describe(pointed)}
          />
        )}
        <YearBars
          year={year}
          bars={barsOfYear(isMember ? tracks : tracks.map(forgetProgress), thisWeek)}
          currentWeek={current}
          pointedWeek={pointed ?? (shownWeek === current ? null : shownWeek)}
          frame={frame}
        />
      </div>
    </section>
  );
}

const forgetProgress = (track: Track): Track => ({ ...track, progress: null });

function YearSummary({ tracks, isMember }: Pick<HomeYearProps, 'tracks' | 'isMember'>) {
  if (!isMember)
    return (
      <p className="text-13 text-text-2">
        <b className="font-semibold text-text">
          {tracks.length} {tracks.length === 1 ? 'mix' : 'mixes'}
        </b>{' '}
        so far
      </p>
    );
  const { heard, started, left } = countYear(tracks);
  return (
    <div className="flex items-center gap-4 text-13 text-text-2">
      <p>
        <b className="font-semibold text-text">{heard} heard</b>, {started} started, {left} to go
      </p>
      <p aria-hidden className="flex items-center gap-4 max-md:hidden">
        <span className="flex items-center gap-1.5">
          <i className="h-3 w-1.5 rounded-[1.5px] bg-text-2" /> Heard
        </span>
        <span className="flex items-center gap-1.5">
          <i className="h-3 w-1.5 rounded-[1.5px] shadow-[inset_0_0_0_1.5px_var(--text-2)]" /> Not
          yet
        </span>
        <span className="flex items-center gap-1.5">
          <i className="h-0.5 w-1.5 bg-text-3" /> No mix
        </span>
      </p>
    </div>
  );
}

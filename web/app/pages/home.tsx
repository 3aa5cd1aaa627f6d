import { formatWeekDays, weeksInYear } from '#contract/rules/weeks.ts';
import { useThisWeek } from '#web/lib/this-week.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Numeral } from '#web/ui/numeral.tsx';
import { Sleeve } from '#web/ui/sleeve.tsx';
import { YearBars, type WeekBar } from '#web/ui/year-bars.tsx';

export function HomePage() {
  const thisWeek = useThisWeek();
  return (
    <>
      <section
        data-week={thisWeek.week}
        aria-labelledby="this-week"
        className="stage grid grid-cols-[auto_minmax(0,1fr)] gap-x-[18px] px-gutter pt-3.5 pb-[18px] md:gap-x-11 md:pt-[30px] md:pb-7"
      >
        <Numeral
          value={thisWeek.week}
          isDecorative
          size="clamp(246px, 34vw, 496px)"
          className="-ml-[0.012em] self-end"
        />
        <div className="contents md:grid md:grid-cols-[minmax(0,1fr)_auto] md:gap-8">
          <div className="max-md:order-1 max-md:col-span-full max-md:mt-[18px] md:self-end">
            <p className="type-kicker">This week, {formatWeekDays(thisWeek)}</p>
            <h1 id="this-week" className="my-2.5 type-display text-[46px] md:my-3.5 md:text-[72px]">
              Week {thisWeek.week}
            </h1>
            <p className="max-w-[44ch] type-lead">
              No mix is out yet this week. It stands here from the minute it is published.
            </p>
          </div>
          <div className="w-full max-w-[170px] self-end justify-self-end md:w-56 md:max-w-none">
            <Sleeve week={thisWeek.week} />
          </div>
        </div>
      </section>
      <YearSection {...thisWeek} />
      <section className="px-gutter pt-7">
        <EmptyState title="New releases">
          The latest mixes line up here, week by week. None have been published yet.
        </EmptyState>
      </section>
    </>
  );
}

function YearSection({ year, week }: { year: number; week: number }) {
  const bars = Array.from({ length: weeksInYear(year) }, (_, i): WeekBar => {
    return { week: i + 1, state: i + 1 > week ? 'coming' : 'none' };
  });
  return (
    <section
      aria-labelledby="year"
      className="border-b border-line px-gutter pt-5 pb-3.5 md:pt-[22px] md:pb-[18px]"
    >
      <div className="mb-1 flex items-center justify-between gap-5">
        <h2 id="year" className="type-section">
          {year}
        </h2>
        <p className="text-13 text-text-2">
          <b className="font-semibold text-text">0 mixes</b> so far
        </p>
      </div>
      <YearBars year={year} bars={bars} currentWeek={week} label={`${year}: no mixes so far`} />
    </section>
  );
}

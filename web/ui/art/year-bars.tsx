import { MONTHS } from '#contract/rules/days.ts';
import { weekDays, weeksInYear } from '#contract/rules/weeks.ts';
import type { WeekBar } from '#contract/rules/year-bars.ts';
import { useMemo, type ComponentProps, type CSSProperties } from 'react';

type YearBarsProps = {
  year: number;
  bars: readonly WeekBar[];
  /** Drawn taller. */
  currentWeek?: number;
  /** The one under the pointer. */
  pointedWeek?: number | null;
  /** Props of the wrapper: a named image or a slider. */
  frame: ComponentProps<'div'>;
};

/** One bar for each week of a year. Solid: finished. Outline: not played. Dash: no mix. */
export function YearBars({ year, bars, currentWeek, pointedWeek, frame }: YearBarsProps) {
  const weeks = weeksInYear(year);
  const columns = { gridTemplateColumns: `repeat(${weeks}, minmax(0, 1fr))` };
  const pointed = bars.find((bar) => bar.week === pointedWeek);
  const current = bars.find((bar) => bar.week === currentWeek && hasTrack(bar));
  // The pointer moves along the year without drawing it again.
  const ticks = useMemo(
    () => bars.map((bar) => <Tick key={bar.week} bar={bar} isCurrent={bar.week === currentWeek} />),
    [bars, currentWeek],
  );
  return (
    <div>
      <div {...frame} className={`year-frame ${frame.className ?? ''}`} style={columns}>
        {ticks}
        {pointed && (
          <span
            className={`absolute inset-y-0 flex items-end justify-center ${hasTrack(pointed) ? '-z-1' : ''}`}
            style={placeAt(pointed.week, weeks)}
          >
            <i
              className={
                hasTrack(pointed) ? 'size-full rounded-[2px] bg-raised' : `${dashClass} bg-text`
              }
            />
          </span>
        )}
        {current && (
          <span
            data-week={current.week}
            className="absolute inset-y-0"
            style={placeAt(current.week, weeks)}
          >
            <b className="week-name">Week {current.week}</b>
          </span>
        )}
      </div>
      <div aria-hidden className="mt-2 grid text-[min(0.75rem,3.3vw)] text-text-3" style={columns}>
        {monthStarts(year).map(({ name, week }) => (
          <span
            key={name}
            className="whitespace-nowrap"
            style={{ gridColumnStart: week, gridRow: 1 }}
          >
            {name}
          </span>
        ))}
      </div>
    </div>
  );
}

const hasTrack = ({ state }: WeekBar): boolean => state !== 'none' && state !== 'coming';

/** The column of a week. */
const placeAt = (week: number, weeks: number): CSSProperties => ({
  left: `${((week - 1) * 100) / weeks}%`,
  width: `${100 / weeks}%`,
});

/** How far a `bar-filled` is filled, 0 to 1. */
export const fillBar = (share: number): CSSProperties & { '--share': string } => ({
  '--share': `${(share * 100).toFixed(1)}%`,
});

const dashClass = 'h-0.5 w-[62%] rounded-[1px] @lg/content:h-[3px]';

function Tick({ bar, isCurrent }: { bar: WeekBar; isCurrent: boolean }) {
  if (!hasTrack(bar))
    return <i className={`${dashClass} ${bar.state === 'none' ? 'bg-line-strong' : 'bg-line'}`} />;
  const share = bar.state === 'finished' ? 1 : bar.state === 'started' ? (bar.share ?? 0.5) : 0;
  const height = isCurrent ? '92%' : `${Math.max(6, (bar.height ?? 1) * 64).toFixed(1)}%`;
  return (
    <i
      data-week={bar.week}
      className={`rounded-[1.5px] bar-filled ${isCurrent ? 'w-[7px] @2xl/content:w-[15px] @double/content:w-[26px]' : 'week-bar'}`}
      style={{ height, ...fillBar(share) }}
    />
  );
}

/** The week each month's name is shown at. */
export function monthStarts(year: number): { name: string; week: number }[] {
  return MONTHS.map((name, month) => {
    const weeks = Array.from({ length: weeksInYear(year) }, (_, i) => i + 1);
    const first = weeks.find((week) => weekDays({ year, week }).sunday >= Date.UTC(year, month, 1));
    return { name: name.slice(0, 3), week: first ?? 1 };
  });
}

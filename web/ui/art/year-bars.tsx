import { buildDateFormat } from '#contract/rules/days.ts';
import { weekDays, weeksInYear } from '#contract/rules/weeks.ts';
import type { ComponentProps, CSSProperties } from 'react';

export type WeekBar = {
  week: number;
  /** `none`: no mix that week. `coming`: a week in the future. */
  state: 'finished' | 'started' | 'unplayed' | 'none' | 'coming';
  /** Share of the tallest bar, 0 to 1: the length of the mix. */
  height?: number;
  /** Share listened to, from 0 to 1, when started. */
  share?: number;
};

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
  const columns: CSSProperties = {
    gridTemplateColumns: `repeat(${weeksInYear(year)}, minmax(0, 1fr))`,
  };
  return (
    <div>
      <div
        {...frame}
        className={`grid h-[84px] items-end @lg/content:h-28 @double/content:h-36 ${frame.className ?? ''}`}
        style={columns}
      >
        {bars.map((bar) => (
          <Tick
            key={bar.week}
            bar={bar}
            isCurrent={bar.week === currentWeek}
            isPointed={bar.week === pointedWeek}
          />
        ))}
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

type TickProps = { bar: WeekBar; isCurrent: boolean; isPointed: boolean };

function Tick({ bar, isCurrent, isPointed }: TickProps) {
  if (bar.state === 'none' || bar.state === 'coming')
    return (
      <i
        className={`mx-auto h-0.5 w-[62%] rounded-[1px] @lg/content:h-[3px] ${isPointed ? 'bg-text' : bar.state === 'none' ? 'bg-line-strong' : 'bg-line'}`}
      />
    );
  const share = bar.state === 'finished' ? 1 : bar.state === 'started' ? (bar.share ?? 0.5) : 0;
  return (
    <span
      data-week={bar.week}
      className={`relative flex h-full items-end justify-center rounded-[2px] ${isPointed ? 'bg-raised' : ''}`}
    >
      <i
        className={`flex max-w-none shrink-0 items-end overflow-hidden rounded-[1.5px] bar-outline ${isCurrent ? 'w-[7px] @2xl/content:w-[15px] @double/content:w-[26px]' : 'w-[4.5px] @lg/content:w-[min(11px,62%)] @double/content:w-[20px]'}`}
        style={{ height: isCurrent ? '92%' : `${Math.max(6, (bar.height ?? 1) * 64)}%` }}
      >
        <i className="w-full bar-solid" style={{ height: `${share * 100}%` }} />
      </i>
      {isCurrent && (
        <b className="absolute right-[calc(100%+4px)] bottom-[calc(92%-16px)] text-13 font-semibold whitespace-nowrap text-week @lg/content:right-auto @lg/content:left-[calc(100%+6px)]">
          Week {bar.week}
        </b>
      )}
    </span>
  );
}

const formatMonthName = buildDateFormat({ month: 'short' });

/** The week each month's name is shown at. */
export function monthStarts(year: number): { name: string; week: number }[] {
  return Array.from({ length: 12 }, (_, month) => {
    const name = formatMonthName(Date.UTC(year, month, 1), 'UTC');
    const weeks = Array.from({ length: weeksInYear(year) }, (_, i) => i + 1);
    const first = weeks.find((week) => weekDays({ year, week }).sunday >= Date.UTC(year, month, 1));
    return { name, week: first ?? 1 };
  });
}

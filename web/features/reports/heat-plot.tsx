import type { Report } from '#contract/reports.ts';
import { formatHour, formatWeekday } from './format-figure.ts';

const HOURS = Array.from({ length: 24 }, (_, hour) => hour);

/** A bar for each hour of each day: the busier, the taller. The table behind it says the numbers. */
export function HeatPlot({ report }: { report: Report }) {
  const plays = new Map(
    report.rows.map(({ cells: [weekday, hour, count] }) => [`${weekday}/${hour}`, Number(count)]),
  );
  const most = Math.max(...plays.values(), 1);
  return (
    <div aria-hidden className="grid grid-cols-[auto_minmax(0,1fr)] items-end gap-x-3 gap-y-2">
      {[0, 1, 2, 3, 4, 5, 6].map((weekday) => (
        <div key={weekday} className="contents">
          <span className="text-12 text-text-3">{formatWeekday(weekday).slice(0, 3)}</span>
          <span className="flex h-7 items-end gap-[2px]">
            {HOURS.map((hour) => {
              const count = plays.get(`${weekday}/${hour}`) ?? 0;
              return (
                <i
                  key={hour}
                  title={`${formatWeekday(weekday)} ${formatHour(hour)}: ${count}`}
                  className={`flex-1 rounded-[1.5px] ${count > 0 ? 'bg-action' : 'bg-line'}`}
                  style={{ height: count > 0 ? `${Math.max(8, (count / most) * 100)}%` : '2px' }}
                />
              );
            })}
          </span>
        </div>
      ))}
      <span />
      <span className="flex justify-between text-12 text-text-3">
        {[0, 6, 12, 18, 23].map((hour) => (
          <span key={hour}>{formatHour(hour)}</span>
        ))}
      </span>
    </div>
  );
}

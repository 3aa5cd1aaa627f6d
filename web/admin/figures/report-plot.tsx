import { Link } from 'wouter';
import type { Report } from '#contract/admin/reports.ts';
import { formatCount } from '#web/lib/format/format.ts';
import { DayPlot } from './day-plot.tsx';
import { formatCell, formatHour, formatUnit, formatWeekday, formatShort } from './format-figure.ts';
import { ScrollBox } from './scroll-box.tsx';
import { AxisPlot, chooseTicks } from './axis-plot.tsx';

/** A row per month of first payments; the fill of each cell shows the share that stayed. */
function CohortPlot({ report }: { report: Report }) {
  const [name, size, ...months] = report.columns;
  if (!name || !size) return null;
  return (
    <ScrollBox label={`${report.title}, as a plot`}>
      <table className="w-full min-w-[720px] border-separate border-spacing-[2px] text-13 tabular-nums">
        <thead className="text-left text-text-3">
          <tr>
            {report.columns.map(({ key, label }, index) => (
              <th key={key} scope="col" className="px-2 py-1.5 font-medium">
                {index > 1 ? label.replace('Month ', 'M') : label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {report.rows.map(({ cells: [cohort = null, count = null, ...shares] }) => (
            <tr key={String(cohort)}>
              <th scope="row" className="px-2 py-2 text-left font-medium whitespace-nowrap">
                {formatCell(cohort, name)}
              </th>
              <td className="px-2 py-2">{formatCell(count, size)}</td>
              {months.map((month, index) => {
                const share = shares[index] ?? null;
                return (
                  <td key={month.key} className="relative bg-raised px-2 py-2">
                    {share !== null && (
                      <i
                        aria-hidden
                        className="absolute inset-x-0 bottom-0 bg-line"
                        style={{ height: `${Number(share) * 100}%` }}
                      />
                    )}
                    <span className="relative">{formatCell(share, month)}</span>
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  );
}

/** Widths are in true proportion, so that a step that loses most people looks like it. */
function FunnelPlot({ report }: { report: Report }) {
  const most = Math.max(...report.rows.map(({ cells }) => Number(cells[1])), 1);
  return (
    <dl className="flex flex-col gap-4">
      {report.rows.map(({ cells: [step, count, share] }, index) => (
        <div key={String(step)} className="grid gap-1.5">
          <dt className="flex flex-wrap items-baseline gap-x-2">
            <span className="font-medium">{step}</span>
            {share !== null && (
              <span className="text-12 text-text-3">
                {formatUnit(Number(share), 'share')} of {index === 1 ? 'previews' : 'checkouts'}
              </span>
            )}
          </dt>
          <dd className="flex items-center gap-3">
            <span className="min-w-0 flex-1">
              <i
                aria-hidden
                data-share={Number(count) / most}
                className="block h-8 min-w-0.5 bg-[repeating-linear-gradient(90deg,var(--action)_0_4px,transparent_4px_7px)]"
                style={{ width: `${(Number(count) / most) * 100}%` }}
              />
            </span>
            <span className="min-w-14 text-right type-figure text-22">
              {formatUnit(Number(count), 'count')}
            </span>
          </dd>
        </div>
      ))}
    </dl>
  );
}

const HOURS = Array.from({ length: 24 }, (_, hour) => hour);

/** A bar per hour of each weekday. The table below has the numbers. */
function HeatPlot({ report }: { report: Report }) {
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
                  title={`${formatWeekday(weekday)} ${formatHour(hour)}: ${formatCount(count, 'play')}`}
                  className={`flex-1 rounded-[1.5px] ${count > 0 ? 'bg-action' : 'bg-line'}`}
                  style={{ height: count > 0 ? `max(3px, ${(count / most) * 100}%)` : '2px' }}
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

const MAX_ROWS = 25;

/** A bar per row; mixes and weeks in the colour of their week. */
function RankingPlot({ report }: { report: Report }) {
  const { columns, rows } = report;
  const numberAt = columns.findIndex(({ kind }) => kind === 'count');
  const weekAt = columns.findIndex(({ kind }) => kind === 'week');
  const column = columns[numberAt];
  const most = Math.max(...rows.map(({ cells }) => Number(cells[numberAt])), 1);
  if (!column) return null;
  return (
    <ol className="flex flex-col">
      {rows.slice(0, MAX_ROWS).map(({ cells, href }, index) => (
        <li
          key={`${String(cells[0])}-${index}`}
          {...(weekAt > 0 && { 'data-week': Number(cells[weekAt]) })}
          className="grid min-h-11 grid-cols-[minmax(0,2fr)_minmax(0,3fr)_4rem] items-center gap-3 @max-xl/content:grid-cols-[minmax(0,7.5rem)_minmax(0,1fr)_2.5rem] border-t border-line first:border-0"
        >
          {href ? (
            <Link href={href} className="truncate py-2.5 font-medium hover:underline">
              {cells[0]}
            </Link>
          ) : (
            <span className="truncate font-medium">{cells[0]}</span>
          )}
          <i
            aria-hidden
            className="h-3 min-w-0.5 bar-solid"
            style={{ width: `${(Number(cells[numberAt]) / most) * 100}%` }}
          />
          <span className="text-right tabular-nums">
            {formatCell(cells[numberAt] ?? null, column)}
          </span>
        </li>
      ))}
    </ol>
  );
}

export function ReportPlot({ report, isCompared }: { report: Report; isCompared: boolean }) {
  switch (report.plot) {
    case 'bars':
    case 'line':
      return <DayPlot report={report} isCompared={isCompared} />;
    case 'week-bars':
      return <WeekPlot report={report} />;
    case 'curve':
      return <CurvePlot report={report} />;
    case 'heat':
      return <HeatPlot report={report} />;
    case 'funnel':
      return <FunnelPlot report={report} />;
    case 'cohorts':
      return <CohortPlot report={report} />;
    case 'ranking':
      return <RankingPlot report={report} />;
  }
}

const HEIGHT = 260;

/** Plays of each week of release, each bar in the colour of its week. */
function WeekPlot({ report }: { report: Report }) {
  const points = report.rows.map(({ cells: [key, week, plays] }) => ({
    key: String(key),
    week: Number(week),
    plays: Number(plays),
  }));
  const highest = Math.max(0, ...points.map(({ plays }) => plays));
  return (
    <AxisPlot
      title={report.title}
      points={points}
      ticks={chooseTicks(highest, { isWhole: true })}
      formatTick={(value) => formatShort(value, 'count')}
      labelOf={({ week }) => String(week)}
      labelWidth={26}
      describe={({ key, week, plays }) => ({
        title: `Week ${week}, ${key.slice(0, 4)}`,
        lines: [{ label: 'Plays', value: formatUnit(plays, 'count') }],
      })}
      height={HEIGHT}
      axisWidth={44}
    >
      {({ slot, xOf, yOf, zero }) =>
        points.map(({ key, week, plays }, index) => (
          // On paper with a dark edge, so that yellow stays yellow.
          <rect
            key={key}
            data-week={week}
            x={xOf(index) - slot * 0.38}
            y={yOf(plays)}
            width={Math.max(1, slot * 0.76)}
            height={zero - yOf(plays)}
            rx={1.5}
            className="fill-week-fill light:stroke-week"
          />
        ))
      }
    </AxisPlot>
  );
}

/** The share of listeners left at each percent of the mix. */
function CurvePlot({ report }: { report: Report }) {
  const points = report.rows.map(({ cells: [percent, share] }) => ({
    percent: Number(percent),
    share: Number(share),
  }));
  return (
    <AxisPlot
      title={report.title}
      points={points}
      ticks={chooseTicks(1, { isWhole: false })}
      formatTick={(value) => formatShort(value, 'share')}
      labelOf={({ percent }) => `${percent}%`}
      labelWidth={64}
      describe={({ percent, share }) => ({
        title: `${percent}% into the mix`,
        lines: [{ label: 'Still listening', value: formatUnit(share, 'share') }],
      })}
      height={HEIGHT}
    >
      {({ slot, xOf, yOf, zero }) =>
        points.map(({ percent, share }, index) => (
          <rect
            key={percent}
            x={xOf(index) - slot * 0.4}
            y={yOf(share)}
            width={Math.max(1, slot * 0.8)}
            height={zero - yOf(share)}
            className="fill-action"
          />
        ))
      }
    </AxisPlot>
  );
}

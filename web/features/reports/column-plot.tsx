import type { Report } from '#contract/admin/reports.ts';
import { AxisPlot } from './axis-plot.tsx';
import { formatShort, formatUnit } from './format-figure.ts';
import { chooseTicks } from './plot-scale.ts';

const HEIGHT = 260;

/** Plays of each week of release, each bar in the colour of its week. */
export function WeekPlot({ report }: { report: Report }) {
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
      {({ slot, xOf, yOf, bottom }) =>
        points.map(({ key, week, plays }, index) => (
          // On paper with a dark edge, so that yellow stays yellow.
          <rect
            key={key}
            data-week={week}
            x={xOf(index) - slot * 0.38}
            y={yOf(plays)}
            width={Math.max(1, slot * 0.76)}
            height={bottom - yOf(plays)}
            rx={1.5}
            className="fill-week-fill light:stroke-week"
          />
        ))
      }
    </AxisPlot>
  );
}

/** The share of listeners left at each percent of the mix. */
export function CurvePlot({ report }: { report: Report }) {
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
      {({ slot, xOf, yOf, bottom }) =>
        points.map(({ percent, share }, index) => (
          <rect
            key={percent}
            x={xOf(index) - slot * 0.4}
            y={yOf(share)}
            width={Math.max(1, slot * 0.8)}
            height={bottom - yOf(share)}
            className="fill-action"
          />
        ))
      }
    </AxisPlot>
  );
}

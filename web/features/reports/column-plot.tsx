import { Bar, BarChart, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';
import type { BarShapeProps } from 'recharts';
import type { Report } from '#contract/reports.ts';
import { formatShort, formatUnit } from './format-figure.ts';
import { PlotTip } from './plot-tip.tsx';

type Point = { key: string; week: number; label: string; value: number };

const axis = { stroke: 'var(--text-3)', fontSize: 12, tickLine: false, axisLine: false } as const;

/** In the colour of its week; on paper with a dark edge, so that yellow stays yellow. */
function WeekBar({ x, y, width, height, payload }: BarShapeProps) {
  const { week } = payload as Point;
  return (
    <rect
      data-week={week}
      x={x}
      y={y}
      width={Math.max(1, width)}
      height={Math.max(0, height)}
      rx={1.5}
      className="fill-week-fill light:stroke-week"
    />
  );
}

const toWeekPoints = ({ rows }: Report): Point[] =>
  rows.map(({ cells: [key, week, plays] }) => ({
    key: String(key),
    week: Number(week),
    label: `Week ${Number(week)}, ${String(key).slice(0, 4)}`,
    value: Number(plays),
  }));

const describeWeek = ({ label, value }: Point) => ({
  title: label,
  lines: [{ label: 'Plays', value: formatUnit(value, 'count') }],
});

/** Plays of each week of release, each in its colour. */
export function WeekPlot({ report }: { report: Report }) {
  const points = toWeekPoints(report);
  return (
    <ResponsiveContainer width="100%" height={260}>
      <BarChart
        data={points}
        title={report.title}
        margin={{ top: 8, right: 8, bottom: 0, left: 0 }}
        barCategoryGap="24%"
      >
        <CartesianGrid vertical={false} stroke="var(--line)" />
        <XAxis
          dataKey="key"
          tickFormatter={(key: string) => String(Number(key.slice(6)))}
          minTickGap={12}
          interval="equidistantPreserveStart"
          {...axis}
        />
        <YAxis
          width={44}
          tickFormatter={(value: number) => formatShort(value, 'count')}
          allowDecimals={false}
          {...axis}
        />
        <Tooltip cursor={{ fill: 'var(--raised)' }} content={<PlotTip describe={describeWeek} />} />
        <Bar dataKey="value" shape={WeekBar} isAnimationActive={false} />
      </BarChart>
    </ResponsiveContainer>
  );
}

const describePercent = ({ key, value }: { key: number; value: number }) => ({
  title: `${key}% into the mix`,
  lines: [{ label: 'Still listening', value: formatUnit(value, 'share') }],
});

/** The share that is still listening, percent by percent. */
export function CurvePlot({ report }: { report: Report }) {
  const points = report.rows.map(({ cells: [percent, share] }) => ({
    key: Number(percent),
    value: Number(share),
  }));
  return (
    <ResponsiveContainer width="100%" height={260}>
      <BarChart
        data={points}
        title={report.title}
        margin={{ top: 8, right: 8, bottom: 0, left: 0 }}
        barCategoryGap="20%"
      >
        <CartesianGrid vertical={false} stroke="var(--line)" />
        <XAxis dataKey="key" tickFormatter={(key: number) => `${key}%`} minTickGap={32} {...axis} />
        <YAxis
          width={52}
          domain={[0, 1]}
          tickFormatter={(value: number) => formatShort(value, 'share')}
          {...axis}
        />
        <Tooltip
          cursor={{ fill: 'var(--raised)' }}
          content={<PlotTip describe={describePercent} />}
        />
        <Bar dataKey="value" fill="var(--action)" isAnimationActive={false} />
      </BarChart>
    </ResponsiveContainer>
  );
}

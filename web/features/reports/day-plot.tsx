import {
  Bar,
  CartesianGrid,
  ComposedChart,
  Line,
  ResponsiveContainer,
  Tooltip,
  XAxis,
  YAxis,
} from 'recharts';
import type { Column, Report, Unit } from '#contract/reports.ts';
import { countDays } from '#contract/rules/report-days.ts';
import { formatMonth, formatShortDay } from '#web/lib/format.ts';
import { formatShort, formatUnit } from './format-figure.ts';
import { chooseStep, groupDays, type Step } from './group-days.ts';
import { PlotTip } from './plot-tip.tsx';

const unitOf = ({ kind }: Column): Unit => (kind === 'cents' || kind === 'share' ? kind : 'count');

const tickOf = (step: Step) => (key: string) =>
  step === 'month' ? formatMonth(`${key}-01`) : formatShortDay(key);

type Point = { key: string; label: string; now: number | null; before: number | null };

function listPoints(report: Report, step: Step): Point[] {
  const { columns, rows, rowsBefore } = report;
  const before = groupDays(rowsBefore ?? [], columns, step);
  return groupDays(rows, columns, step).map(({ key, label, values }, index) => ({
    key,
    label,
    now: values[0] ?? null,
    before: before[index]?.values[0] ?? null,
  }));
}

const EMPTY_AXIS_CENTS = 400_00;
const axis = { stroke: 'var(--text-3)', fontSize: 12, tickLine: false, axisLine: false } as const;

/** The first number of each day against the days: bars for what is added up, a line for what stands. */
export function DayPlot({ report, isCompared }: { report: Report; isCompared: boolean }) {
  const step = report.columns[0]?.kind === 'day' ? chooseStep(countDays(report)) : 'month';
  const column = report.columns[1];
  if (!column) return null;
  const unit = unitOf(column);
  const points = listPoints(report, step);
  const hasBefore = isCompared && report.rowsBefore !== null;
  const isLine = report.plot === 'line';
  // Of nothing the axis would be parts of a cent, all written R0.
  const isFlat = unit === 'cents' && points.every(({ now, before }) => !now && !before);
  const describe = ({ label, now, before }: Point) => ({
    title: label,
    lines: [
      { label: column.label, value: formatUnit(now, unit) },
      ...(hasBefore ? [{ label: 'Period before', value: formatUnit(before, unit) }] : []),
    ],
  });
  return (
    <ResponsiveContainer width="100%" height={240}>
      <ComposedChart
        data={points}
        title={`${report.title}, ${column.label}`}
        margin={{ top: 8, right: 8, bottom: 0, left: 0 }}
        barGap={1}
      >
        <CartesianGrid vertical={false} stroke="var(--line)" />
        <XAxis
          dataKey="key"
          tickFormatter={tickOf(step)}
          minTickGap={24}
          interval="equidistantPreserveStart"
          {...axis}
        />
        <YAxis
          width={52}
          tickFormatter={(value: number) => formatShort(value, unit)}
          allowDecimals={unit === 'share'}
          {...(isFlat && { domain: [0, EMPTY_AXIS_CENTS] })}
          {...axis}
        />
        <Tooltip
          cursor={{ fill: 'var(--raised)', stroke: 'var(--line)' }}
          content={<PlotTip describe={describe} />}
        />
        {hasBefore && !isLine && (
          <Bar dataKey="before" fill="none" stroke="var(--line-strong)" isAnimationActive={false} />
        )}
        {hasBefore && isLine && (
          <Line
            dataKey="before"
            stroke="var(--text-3)"
            strokeDasharray="3 4"
            dot={false}
            isAnimationActive={false}
          />
        )}
        {isLine ? (
          <Line
            dataKey="now"
            stroke="var(--text)"
            strokeWidth={2}
            dot={points.length === 1}
            isAnimationActive={false}
          />
        ) : (
          <Bar dataKey="now" fill="var(--action)" radius={1.5} isAnimationActive={false} />
        )}
      </ComposedChart>
    </ResponsiveContainer>
  );
}

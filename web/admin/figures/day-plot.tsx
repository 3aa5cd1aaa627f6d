import type { Column, Report, Unit } from '#contract/admin/reports.ts';
import { countDays } from '#contract/rules/report-days.ts';
import { formatMonth, formatShortDay } from '#web/lib/format/format.ts';
import {
  AxisPlot,
  chooseMoneyTicks,
  chooseShareTicks,
  chooseTicks,
  type PlotScale,
} from './axis-plot.tsx';
import { formatShort, formatUnit } from './format-figure.ts';
import { chooseStep, groupDays, type Step } from './group-days.ts';

const unitOf = ({ kind }: Column): Unit => (kind === 'cents' || kind === 'share' ? kind : 'count');

type Point = { key: string; label: string; now: number | null; before: number | null };

function listPoints(report: Report, step: Step): Point[] {
  const { columns, rows, previousRows: rowsBefore } = report;
  const before = groupDays(rowsBefore ?? [], columns, step);
  return groupDays(rows, columns, step).map(({ key, label, values }, index) => ({
    key,
    label,
    now: values[0] ?? null,
    before: before[index]?.values[0] ?? null,
  }));
}

function listTicks(points: readonly Point[], unit: Unit, hasBefore: boolean): number[] {
  const values = points.flatMap(({ now, before }) => [now ?? 0, hasBefore ? (before ?? 0) : 0]);
  const [lowest, highest] = [Math.min(0, ...values), Math.max(0, ...values)];
  if (unit === 'cents') return chooseMoneyTicks(lowest, highest);
  return unit === 'share' ? chooseShareTicks(highest) : chooseTicks(highest, { isWhole: true });
}

type SeriesProps = {
  points: readonly Point[];
  scale: PlotScale;
  hasBefore: boolean;
};

/** The previous period is an outline beside the bar of this one. */
function Bars({ points, scale, hasBefore }: SeriesProps) {
  const { slot, xOf, yOf, zero } = scale;
  const width = Math.max(1, hasBefore ? slot * 0.4 - 0.5 : slot * 0.8);
  const barOf = (value: number | null, x: number) => {
    const y = yOf(value ?? 0);
    return { x, y: Math.min(y, zero), width, height: Math.abs(zero - y) };
  };
  return points.map(({ key, now, before }, index) => (
    <g key={key}>
      {hasBefore && before !== null && (
        <rect
          {...barOf(before, xOf(index) - slot * 0.4)}
          className="fill-none stroke-line-strong"
        />
      )}
      <rect
        {...barOf(now, hasBefore ? xOf(index) + 0.5 : xOf(index) - width / 2)}
        rx={1.5}
        className="fill-action"
      />
    </g>
  ));
}

/** A gap in the values is a gap in the line. */
const linePath = (values: readonly (number | null)[], { xOf, yOf }: PlotScale): string =>
  values
    .map((value, index) => {
      if (value === null) return '';
      const start = index === 0 || values[index - 1] === null ? 'M' : 'L';
      return `${start}${xOf(index)} ${yOf(value)}`;
    })
    .join('');

function Lines({ points, scale, hasBefore }: SeriesProps) {
  const now = points.map((point) => point.now);
  const before = points.map((point) => point.before);
  const [only] = now;
  return (
    <>
      {hasBefore && (
        <path
          d={linePath(before, scale)}
          strokeDasharray="3 4"
          className="fill-none stroke-text-3"
        />
      )}
      <path d={linePath(now, scale)} strokeWidth={2} className="fill-none stroke-text" />
      {now.length === 1 && typeof only === 'number' && (
        <circle cx={scale.xOf(0)} cy={scale.yOf(only)} r={3} className="fill-text" />
      )}
    </>
  );
}

/** The first number of each day: bars for amounts that add up, a line for a state. */
export function DayPlot({ report, isCompared }: { report: Report; isCompared: boolean }) {
  const step = report.columns[0]?.kind === 'day' ? chooseStep(countDays(report)) : 'month';
  const column = report.columns[1];
  if (!column) return null;
  const unit = unitOf(column);
  const points = listPoints(report, step);
  const hasBefore = isCompared && report.previousRows !== null;
  const Series = report.plot === 'line' ? Lines : Bars;
  return (
    <AxisPlot
      title={`${report.title}, ${column.label}`}
      points={points}
      ticks={listTicks(points, unit, hasBefore)}
      formatTick={(value) => formatShort(value, unit)}
      labelOf={({ key }) => (step === 'month' ? formatMonth(`${key}-01`) : formatShortDay(key))}
      labelWidth={step === 'month' ? 76 : 64}
      describe={({ label, now, before }) => ({
        title: label,
        lines: [
          { label: column.label, value: formatUnit(now, unit) },
          ...(hasBefore ? [{ label: 'Previous period', value: formatUnit(before, unit) }] : []),
        ],
      })}
    >
      {(scale) => <Series {...{ points, scale, hasBefore }} />}
    </AxisPlot>
  );
}

import { useLayoutEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';

type Description = { title: string; lines: readonly { label: string; value: string }[] };

/** Where a point is drawn: the middle of its slot, the slot's width, and the height of a value. */
export type PlotScale = {
  slot: number;
  xOf: (index: number) => number;
  yOf: (value: number) => number;
  bottom: number;
};

type AxisPlotProps<Point> = {
  title: string;
  points: readonly Point[];
  /** From zero to the top of the plot. */
  ticks: readonly number[];
  formatTick: (value: number) => string;
  /** The text under a point. */
  labelOf: (point: Point) => string;
  /** Room for one such text, in pixels. */
  labelWidth: number;
  /** What the tooltip says of a point. */
  describe: (point: Point) => Description;
  height?: number;
  axisWidth?: number;
  /** The shapes of all points. */
  children: (scale: PlotScale) => ReactNode;
};

const TOP = 8;
const RIGHT = 8;
const BOTTOM = 30;

/** Plots are drawn in real pixels, so that text and lines keep their size at every width. */
function useWidth() {
  const box = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    setWidth(element.clientWidth);
    return () => observer.disconnect();
  }, []);
  return [box, width] as const;
}

const nextIndex: Record<string, (index: number | null, last: number) => number | null> = {
  ArrowRight: (index, last) => Math.min(last, (index ?? -1) + 1),
  ArrowLeft: (index, last) => Math.max(0, (index ?? last + 1) - 1),
  Home: () => 0,
  End: (_index, last) => last,
  Escape: () => null,
};

/** Axes, a tooltip under the pointer, and the same by keyboard: arrow keys move from point to point. */
export function AxisPlot<Point>(props: AxisPlotProps<Point>) {
  const { title, points, describe, height = 240, axisWidth = 52 } = props;
  const [box, width] = useWidth();
  const [active, setActive] = useState<number | null>(null);
  const last = points.length - 1;
  const bottom = height - BOTTOM;
  const slot = Math.max(0, width - axisWidth - RIGHT) / Math.max(1, points.length);
  const highest = props.ticks.at(-1) ?? 1;
  const scale: PlotScale = {
    slot,
    bottom,
    xOf: (index) => axisWidth + (index + 0.5) * slot,
    yOf: (value) => bottom - (value / highest) * (bottom - TOP),
  };
  const point = active === null ? undefined : points[active];

  function moveTo(x: number) {
    const index = Math.floor((x - axisWidth) / slot);
    setActive(index >= 0 && index <= last ? index : null);
  }
  function onKeyDown(event: KeyboardEvent) {
    const next = nextIndex[event.key];
    if (!next) return;
    event.preventDefault();
    setActive((index) => next(index, last));
  }
  return (
    <div ref={box} className="relative" style={{ height }}>
      {width > 0 && (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- an application has keys of its own
        <svg
          role="application"
          aria-label={`${title}. Use the arrow keys to read the values.`}
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the arrow keys read the plot
          tabIndex={0}
          width={width}
          height={height}
          className="block"
          onKeyDown={onKeyDown}
          onBlur={() => setActive(null)}
          onPointerMove={({ clientX, currentTarget }) =>
            moveTo(clientX - currentTarget.getBoundingClientRect().left)
          }
          onPointerLeave={() => setActive(null)}
        >
          <Axes {...props} width={width} axisWidth={axisWidth} scale={scale} />
          {active !== null && point !== undefined && (
            <rect
              x={scale.xOf(active) - slot / 2}
              y={TOP}
              width={slot}
              height={bottom - TOP}
              className="fill-raised"
            />
          )}
          {props.children(scale)}
        </svg>
      )}
      <div role="status">
        {active !== null && point !== undefined && (
          <PlotTip {...describe(point)} x={scale.xOf(active)} width={width} />
        )}
      </div>
    </div>
  );
}

type AxesProps<Point> = Pick<
  AxisPlotProps<Point>,
  'points' | 'ticks' | 'formatTick' | 'labelOf' | 'labelWidth'
> & {
  width: number;
  axisWidth: number;
  scale: PlotScale;
};

function Axes<Point>(props: AxesProps<Point>) {
  const { points, ticks, formatTick, labelOf, labelWidth, width, axisWidth, scale } = props;
  const step = chooseLabelStep(points.length, width - axisWidth, labelWidth);
  return (
    <g aria-hidden className="fill-text-3 text-12">
      {ticks.map((tick) => (
        <g key={tick}>
          <line
            x1={axisWidth}
            x2={width - RIGHT}
            y1={scale.yOf(tick)}
            y2={scale.yOf(tick)}
            className="stroke-line"
          />
          <text x={axisWidth - 8} y={scale.yOf(tick)} dy="0.32em" textAnchor="end">
            {formatTick(tick)}
          </text>
        </g>
      ))}
      {points.map((point, index) =>
        index % step === 0 ? (
          <text key={index} x={scale.xOf(index)} y={scale.bottom + 20} textAnchor="middle">
            {labelOf(point)}
          </text>
        ) : null,
      )}
    </g>
  );
}

/** Beside the point, on the side that has room. */
function PlotTip({ title, lines, x, width }: Description & { x: number; width: number }) {
  const side = x < width / 2 ? { left: x + 12 } : { right: width - x + 12 };
  return (
    <div
      style={{ top: TOP, ...side }}
      className="pointer-events-none absolute rounded-panel bg-overlay px-3 py-2 text-13 whitespace-nowrap text-text shadow-overlay"
    >
      <p className="font-semibold">{title}</p>
      {lines.map(({ label, value }) => (
        <p key={label} className="text-text-2">
          {label}: <span className="tabular-nums">{value}</span>
        </p>
      ))}
    </div>
  );
}

/** The values an axis is marked at: from zero, in even steps of 1, 2, 2.5 or 5 times a power of ten. */
export function chooseTicks(
  highest: number,
  { count = 5, isWhole }: { count?: number; isWhole: boolean },
): number[] {
  const rough = Math.max(highest, isWhole ? 1 : 0.01) / (count - 1);
  const power = 10 ** Math.floor(Math.log10(rough));
  const nice = [1, 2, 2.5, 5, 10].map((factor) => factor * power);
  const step = nice.find((size) => size >= rough && (!isWhole || Number.isInteger(size))) ?? 1;
  const steps = Math.max(1, Math.ceil(highest / step - 1e-9));
  return Array.from({ length: steps + 1 }, (_, index) => Number((index * step).toPrecision(12)));
}

/** Every how many-th label is written, so that none touches the next. */
export function chooseLabelStep(labels: number, width: number, labelWidth: number): number {
  const room = Math.max(1, Math.floor(width / labelWidth));
  return Math.max(1, Math.ceil(labels / room));
}

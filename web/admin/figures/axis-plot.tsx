import { useLayoutEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';

type Description = { title: string; lines: readonly { label: string; value: string }[] };

/** Where a point is drawn: the middle of its slot, the slot's width, and the height of a value. */
export type PlotScale = {
  slot: number;
  xOf: (index: number) => number;
  /** Values beyond the axis are drawn at its end. */
  yOf: (value: number) => number;
  /** The height of zero. */
  zero: number;
};

type AxisPlotProps<Point> = {
  title: string;
  points: readonly Point[];
  /** From the bottom to the top of the plot; one of them is zero. */
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

/**
 * Plots are drawn in real pixels, so that text and lines keep their size at every width. `zoom` is
 * the size of the reader's text: 2 at 200 %.
 */
function useBox() {
  const box = useRef<HTMLDivElement>(null);
  const [{ width, zoom }, setSize] = useState({ width: 0, zoom: 1 });
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const measure = () =>
      setSize({
        width: element.clientWidth,
        zoom: Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / 16 || 1,
      });
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    measure();
    return () => observer.disconnect();
  }, []);
  return { box, width, zoom };
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
  const { title, points, describe, height = 240 } = props;
  const { box, width, zoom } = useBox();
  const axisWidth = (props.axisWidth ?? 52) * zoom;
  const [active, setActive] = useState<number | null>(null);
  const last = points.length - 1;
  const [top, bottom] = [TOP * zoom, height - BOTTOM * zoom];
  const slot = Math.max(0, width - axisWidth - RIGHT) / Math.max(1, points.length);
  const [lowest, highest] = [props.ticks[0] ?? 0, props.ticks.at(-1) ?? 1];
  const yOf = (value: number) => {
    const inside = Math.min(highest, Math.max(lowest, value));
    return bottom - ((inside - lowest) / (highest - lowest)) * (bottom - top);
  };
  const xOf = (index: number) => axisWidth + (index + 0.5) * slot;
  const scale: PlotScale = { slot, xOf, yOf, zero: yOf(0) };
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
          <Axes {...props} {...{ width, axisWidth, bottom, scale, zoom }} />
          {active !== null && point !== undefined && (
            <rect
              x={scale.xOf(active) - slot / 2}
              y={top}
              width={slot}
              height={bottom - top}
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
  bottom: number;
  scale: PlotScale;
  zoom: number;
};

function Axes<Point>(props: AxesProps<Point>) {
  const { points, ticks, formatTick, labelOf, width, axisWidth, bottom, scale, zoom } = props;
  const step = chooseLabelStep(points.length, width - axisWidth, props.labelWidth * zoom);
  return (
    <g aria-hidden className="fill-text-3 text-12">
      {ticks.map((tick) => (
        <g key={tick}>
          <line
            x1={axisWidth}
            x2={width - RIGHT}
            y1={scale.yOf(tick)}
            y2={scale.yOf(tick)}
            className={tick === 0 ? 'stroke-line-strong' : 'stroke-line'}
          />
          <text x={axisWidth - 8} y={scale.yOf(tick)} dy="0.32em" textAnchor="end">
            {formatTick(tick)}
          </text>
        </g>
      ))}
      {points.map((point, index) => {
        if (index % step !== 0) return null;
        // Labels are centred on their point, unless that would cut off the last one.
        const isLast = scale.xOf(index) + (props.labelWidth * zoom) / 2 > width;
        return (
          <text
            key={index}
            x={isLast ? width : scale.xOf(index)}
            y={bottom + 20 * zoom}
            textAnchor={isLast ? 'end' : 'middle'}
          >
            {labelOf(point)}
          </text>
        );
      })}
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

type TickOptions = { isWhole: boolean; lowest?: number; count?: number };

/** The values an axis is marked at: through zero, in even steps of 1, 2, 2.5 or 5 times a power of ten. */
export function chooseTicks(
  highest: number,
  { isWhole, lowest = 0, count = 5 }: TickOptions,
): number[] {
  const [bottom, top] = [Math.min(0, lowest), Math.max(0, highest)];
  const rough = Math.max(top - bottom, isWhole ? 1 : 0.01) / (count - 1);
  const power = 10 ** Math.floor(Math.log10(rough));
  const nice = [1, 2, 2.5, 5, 10].map((factor) => factor * power);
  const step = nice.find((size) => size >= rough && (!isWhole || Number.isInteger(size))) ?? 1;
  const below = Math.ceil(-bottom / step - 1e-9);
  const above = Math.max(below > 0 ? 0 : 1, Math.ceil(top / step - 1e-9));
  return Array.from({ length: below + above + 1 }, (_, index) =>
    Number(((index - below) * step).toPrecision(12)),
  );
}

/** An axis of shares shows at least this much, so that a few thousandths don't look like a lot. */
const LEAST_SHARE = 0.04;

export const chooseShareTicks = (highest: number): number[] =>
  chooseTicks(Math.max(LEAST_SHARE, highest), { isWhole: false });

/** In cents, marked at whole rands. An axis without any money ends at R400. */
export const chooseMoneyTicks = (lowest: number, highest: number): number[] => {
  const isEmpty = lowest >= 0 && highest <= 0;
  const top = isEmpty ? 400 : highest / 100;
  return chooseTicks(top, { isWhole: true, lowest: lowest / 100 }).map((rand) => rand * 100);
};

/** Every how many-th label is written, so that none touches the next. */
export function chooseLabelStep(labels: number, width: number, labelWidth: number): number {
  const room = Math.max(1, Math.floor(width / labelWidth));
  return Math.max(1, Math.ceil(labels / room));
}

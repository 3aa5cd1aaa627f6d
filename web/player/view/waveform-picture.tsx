import { useLayoutEffect, useMemo, useRef, useState, type ReactNode, type RefObject } from 'react';
import { drawBars, drawBarsUp, frameBars } from '#contract/art/waveform.ts';
import { BAR_STEPS, countBars, shapeWaveform, type WaveformSource } from './waveform-shape.ts';

const BAR_WIDTH = 3;

type WaveformPictureProps = {
  source: WaveformSource;
  /** Which share of the playable part is lit, 0 to 1. A track that isn't loaded is fully lit. */
  played?: number;
  barWidth?: number | undefined;
  className?: string;
  /** The label at the end of the preview. */
  limitLabel?: string | null;
  hasPlayhead?: boolean;
};

/** As many bars as fit: lit ones have played, dim ones are to come, dotted ones are locked. */
export function WaveformPicture({
  source,
  played = 1,
  barWidth,
  className = 'h-24',
  limitLabel = null,
  hasPlayhead = false,
}: WaveformPictureProps) {
  const box = useRef<HTMLDivElement>(null);
  const count = countBars(useWidth(box));
  const { open, openBars, lockedBars } = useMemo(() => {
    const { bars, open: part } = shapeWaveform(source, count);
    return {
      open: part,
      openBars: drawBars(bars, part.from, part.to),
      lockedBars: drawBarsUp(bars, 0, part.from) + drawBarsUp(bars, part.to, count),
    };
  }, [source, count]);
  const lit = Math.min(1, Math.max(0, played));
  const left = (bar: number) => `${count === 0 ? 0 : ((bar * 100) / count).toFixed(2)}%`;
  return (
    <div ref={box} aria-hidden className={`relative ${className}`}>
      {count > 0 && (
        <BarsFrame count={count} barWidth={barWidth}>
          {lockedBars && (
            <path
              d={lockedBars}
              // Dots of the same size, however high the picture is.
              vectorEffect="non-scaling-stroke"
              strokeDasharray="2 4"
              className="stroke-week-rest"
            />
          )}
          {played < 1 && <path d={openBars} className="stroke-week-rest" />}
          <path
            d={openBars}
            className="stroke-week"
            style={{ clipPath: `inset(-2px ${((1 - lit) * 100).toFixed(2)}% -2px 0)` }}
          />
        </BarsFrame>
      )}
      {hasPlayhead && (
        <span
          className="absolute -top-2 bottom-0 w-0.5 -translate-x-px bg-text"
          style={{ left: left(open.from + lit * (open.to - open.from)) }}
        />
      )}
      {limitLabel && lockedBars && (
        <span
          className="absolute -top-6 bottom-0 border-l-2 border-text"
          style={{ left: left(open.to) }}
        >
          <span className="absolute top-0 left-1.5 text-12 leading-none font-semibold whitespace-nowrap">
            {limitLabel}
          </span>
        </span>
      )}
    </div>
  );
}

/** By the width of the picture, as `BAR_STEPS` has it. */
const stillClasses = [
  '@min-[420px]/wave:hidden',
  'hidden @min-[420px]/wave:block @min-[600px]/wave:hidden',
  'hidden @min-[600px]/wave:block @min-[870px]/wave:hidden',
  'hidden @min-[870px]/wave:block @min-[1250px]/wave:hidden',
  'hidden @min-[1250px]/wave:block @min-[1800px]/wave:hidden',
  'hidden @min-[1800px]/wave:block',
];

/** A fully lit picture without a script: drawn for every width, and the style sheet chooses. */
export function StillWaveform({
  source,
  className,
}: {
  source: WaveformSource;
  className: string;
}) {
  const pictures = useMemo(
    () =>
      BAR_STEPS.map(({ count }) => ({
        count,
        path: drawBars(shapeWaveform(source, count).bars, 0, count),
      })),
    [source],
  );
  return (
    <div aria-hidden className={`@container/wave relative ${className}`}>
      {pictures.map(({ count, path }, i) => (
        <BarsFrame key={count} count={count} className={stillClasses[i] ?? ''}>
          <path d={path} className="stroke-week" />
        </BarsFrame>
      ))}
    </div>
  );
}

type BarsFrameProps = {
  count: number;
  barWidth?: number | undefined;
  className?: string;
  children: ReactNode;
};

function BarsFrame({ count, barWidth = BAR_WIDTH, className = '', children }: BarsFrameProps) {
  return (
    <svg
      viewBox={frameBars(count)}
      preserveAspectRatio="none"
      fill="none"
      strokeWidth={barWidth}
      className={`absolute inset-0 size-full overflow-visible ${className}`}
    >
      {children}
    </svg>
  );
}

/** The element's width in whole pixels, updated as it changes. */
function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    if (!element.current) return;
    const observer = new ResizeObserver(([entry]) => {
      if (entry) setWidth(Math.floor(entry.contentRect.width));
    });
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element]);
  return width;
}

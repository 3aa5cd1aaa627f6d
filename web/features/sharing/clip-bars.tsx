import { drawBars, frameBars } from '#contract/art/waveform.ts';
import type { ClipShape } from './clip-selection.ts';

type ClipBarsProps = {
  /** As so many bars. */
  shape: (count: number) => ClipShape;
  /** Which share of the bright bars has played: there is the playhead. */
  played?: number | null;
  className?: string;
};

const WIDTHS = [
  { count: 72, className: '@min-[480px]/clip:hidden' },
  { count: 150, className: 'hidden @min-[480px]/clip:block @min-[960px]/clip:hidden' },
  { count: 260, className: 'hidden @min-[960px]/clip:block' },
];

/** A waveform in which the seconds of a clip are bright. Drawn for each width, so it needs no script. */
export function ClipBars({ shape, played = null, className = '' }: ClipBarsProps) {
  return (
    <div aria-hidden className={`@container/clip relative ${className}`}>
      {WIDTHS.map(({ count, className: width }) => {
        const { bars, from, to } = shape(count);
        return (
          <div key={count} className={`absolute inset-0 ${width}`}>
            <svg
              viewBox={frameBars(count)}
              preserveAspectRatio="none"
              fill="none"
              strokeWidth="3"
              className="absolute inset-0 size-full"
            >
              <path
                d={drawBars(bars, 0, from) + drawBars(bars, to, count)}
                className="stroke-week-rest"
              />
              <path d={drawBars(bars, from, to)} className="stroke-week" />
            </svg>
            {played !== null && (
              <span
                className="absolute -top-2 bottom-0 w-0.5 -translate-x-px bg-text"
                style={{ left: `${((from + played * (to - from)) / count) * 100}%` }}
              />
            )}
          </div>
        );
      })}
    </div>
  );
}

import type { ReactNode } from 'react';

type PosterBar = {
  week: number;
  /** Share of the height, 0 to 1. */
  height: number;
  /** Outlined for weeks in the future. */
  isOutline?: boolean;
  /** A dash for weeks without a mix. */
  isDash?: boolean;
  /** At the top of the bar. */
  label?: ReactNode;
};

/** The outline of a narrow bar would cover its colour. */
const solidClass = 'bar-solid @max-[26rem]/bars:shadow-none';
const outlineClass = 'bar-hollow @max-[26rem]/bars:shadow-[inset_0_0_0_1px_var(--week-rest)]';

/** Bars in the colours of the year. Decoration only, hidden from screen readers. */
export function PosterBars({
  bars,
  className = '',
}: {
  bars: readonly PosterBar[];
  className?: string;
}) {
  return (
    <div aria-hidden className={`@container/bars flex size-full items-end gap-px ${className}`}>
      {bars.map((bar) => (
        <i
          key={bar.week}
          data-week={bar.week}
          className={`relative min-w-0 flex-1 ${bar.isDash ? 'bar-dash' : bar.isOutline ? outlineClass : solidClass}`}
          style={{ height: bar.isDash ? 2 : `${(bar.height * 100).toFixed(1)}%` }}
        >
          {bar.label}
        </i>
      ))}
    </div>
  );
}

/** A year that rises and falls, for dialogs and prices. */
export const yearShape = (weeks = 52): PosterBar[] =>
  Array.from({ length: weeks }, (_, i) => ({
    week: i + 1,
    height:
      0.5 +
      0.2 * Math.sin(i * 0.42 + 1.2) +
      0.12 * Math.sin(i * 1.31 + 0.4) +
      0.08 * Math.sin(i * 2.7) +
      0.06 * Math.cos(i * 0.12),
  }));

/** Bars stay low up to this week, because a heading covers them. */
const LAST_LOW_WEEK = 24;

/** A year that grows towards its end, with this week the tallest and future weeks outlined. */
export const growingYear = (currentWeek: number, weeks: number): PosterBar[] =>
  Array.from({ length: weeks }, (_, i) => {
    const week = i + 1;
    const rise = Math.max(0, week - LAST_LOW_WEEK) / 22;
    const ripple = 1 + 0.13 * Math.sin(i * 2.1) + 0.09 * Math.sin(i * 0.9 + 2);
    const height = Math.min(0.58, 0.075 + 0.46 * rise ** 1.15) * ripple;
    if (week !== currentWeek) return { week, height, isOutline: week > currentWeek };
    return { week, height: Math.min(0.9, Math.max(height * 1.1, 0.12 + 1.4 * rise ** 1.5)) };
  });

import { useState, type ComponentProps, type KeyboardEvent, type PointerEvent } from 'react';

const MONTH_OF_WEEKS = 4;

type WeekSliderOptions = {
  weeks: number;
  /** The week the keyboard starts from. */
  start: number;
  label: string;
  describe: (week: number) => string;
  onOpen: (week: number) => void;
};

/** The week a key moves to; undefined for keys the slider doesn't use. */
export function moveByKey(key: string, week: number, weeks: number): number | undefined {
  const steps: Record<string, number> = {
    ArrowRight: week + 1,
    ArrowUp: week + 1,
    ArrowLeft: week - 1,
    ArrowDown: week - 1,
    PageUp: week + MONTH_OF_WEEKS,
    PageDown: week - MONTH_OF_WEEKS,
    Home: 1,
    End: weeks,
  };
  const to = steps[key];
  return to === undefined ? undefined : Math.min(weeks, Math.max(1, to));
}

/** One slider over all weeks. Arrow keys and the pointer move along it; Enter or release opens a week. */
export function useWeekSlider({ weeks, start, label, describe, onOpen }: WeekSliderOptions) {
  const [pointed, setPointed] = useState<number | null>(null);
  const value = pointed ?? start;

  const weekAt = (event: PointerEvent<HTMLDivElement>): number => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    const share = Math.min(0.999, Math.max(0, (event.clientX - left) / width));
    return 1 + Math.floor(share * weeks);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const to = moveByKey(event.key, value, weeks);
    if (to !== undefined) setPointed(to);
    else if (event.key === 'Enter' || event.key === ' ') onOpen(value);
    else if (event.key === 'Escape') setPointed(null);
    else return;
    event.preventDefault();
  };
  const frame: ComponentProps<'div'> = {
    role: 'slider',
    tabIndex: 0,
    'aria-label': label,
    'aria-valuemin': 1,
    'aria-valuemax': weeks,
    'aria-valuenow': value,
    'aria-valuetext': describe(value),
    // Vertical swipes scroll the page; horizontal ones move along the year.
    className: 'cursor-pointer touch-pan-y select-none',
    onKeyDown,
    onBlur: () => setPointed(null),
    onPointerDown: (event) => {
      event.currentTarget.setPointerCapture(event.pointerId);
      setPointed(weekAt(event));
    },
    onPointerMove: (event) => setPointed(weekAt(event)),
    onPointerUp: (event) => onOpen(weekAt(event)),
    onPointerCancel: () => setPointed(null),
    onPointerLeave: () => setPointed(null),
  };
  return { pointed, frame };
}

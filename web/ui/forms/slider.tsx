import * as Radix from 'radix-ui/slider';

type SliderProps = {
  label: string;
  value: number;
  onValueChange: (value: number) => void;
  /** Called when the pointer is released or a key moved the thumb. */
  onValueCommit?: (value: number) => void;
  min?: number;
  max?: number;
  step?: number;
  /** The value for screen readers: `70 percent`. */
  valueText?: string;
  /** A plain line, or rising ticks as for volume. */
  look?: 'line' | 'ticks';
  disabled?: boolean;
  className?: string;
};

const thumbClass = {
  line: 'block size-4 rounded-pill bg-text transition-transform duration-(--t-1) group-hover:scale-110',
  ticks: 'block h-6 w-3 rounded-[3px]',
};

/** 44 px high on phones, to be easy to touch. */
export function Slider({
  label,
  value,
  onValueChange,
  onValueCommit,
  min = 0,
  max = 100,
  step = 1,
  valueText,
  look = 'line',
  disabled = false,
  className = '',
}: SliderProps) {
  return (
    <Radix.Root
      className={`group relative flex h-11 w-full cursor-pointer touch-none items-center select-none data-disabled:cursor-not-allowed data-disabled:opacity-45 md:h-6 ${className}`}
      value={[value]}
      onValueChange={([next]) => next !== undefined && onValueChange(next)}
      onValueCommit={([next]) => next !== undefined && onValueCommit?.(next)}
      min={min}
      max={max}
      step={step}
      disabled={disabled}
    >
      {look === 'line' ? <Line /> : <Ticks share={(value - min) / (max - min)} />}
      <Radix.Thumb aria-label={label} aria-valuetext={valueText} className={thumbClass[look]} />
    </Radix.Root>
  );
}

function Line() {
  return (
    <Radix.Track className="relative h-1 grow rounded-pill bg-line-strong">
      <Radix.Range className="absolute h-full rounded-pill bg-text" />
    </Radix.Track>
  );
}

const TICKS = 12;

/** Bars that grow with the volume. */
function Ticks({ share }: { share: number }) {
  return (
    <Radix.Track className="flex h-5 grow items-end justify-between">
      {Array.from({ length: TICKS }, (_, i) => (
        <i
          key={i}
          className={`w-[3px] ${(i + 0.5) / TICKS < share ? 'bg-text' : 'bg-week-rest'}`}
          style={{ height: `${20 + (80 * i) / (TICKS - 1)}%` }}
        />
      ))}
    </Radix.Track>
  );
}

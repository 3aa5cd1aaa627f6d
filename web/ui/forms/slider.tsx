type SliderProps = {
  label: string;
  /** From 0 to 100. */
  value: number;
  onChange: (value: number) => void;
  /** The value for screen readers: `70 percent`. */
  valueText: string;
  className?: string;
};

/** The browser's own slider, drawn as rising ticks. 44 px high on phones, to be easy to touch. */
export const Slider = ({ label, value, onChange, valueText, className = '' }: SliderProps) => (
  <div
    className={`relative flex h-11 w-full items-center rounded-[3px] outline-offset-3 outline-focus has-focus-visible:outline-2 md:h-6 ${className}`}
  >
    <Ticks share={value / 100} />
    {/* Its thumb is as narrow as it can be, so that the ticks end where the pointer is. */}
    <input
      type="range"
      aria-label={label}
      aria-valuetext={valueText}
      value={value}
      onChange={({ target }) => onChange(target.valueAsNumber)}
      className="absolute inset-0 m-0 size-full cursor-pointer touch-none appearance-none opacity-0 [&::-moz-range-thumb]:w-px [&::-moz-range-thumb]:border-0 [&::-webkit-slider-thumb]:h-full [&::-webkit-slider-thumb]:w-px [&::-webkit-slider-thumb]:appearance-none"
    />
  </div>
);

const TICKS = 12;

/** Bars that grow with the volume. */
const Ticks = ({ share }: { share: number }) => (
  <span aria-hidden className="flex h-5 grow items-end justify-between">
    {Array.from({ length: TICKS }, (_, i) => (
      <i
        key={i}
        className={`w-[3px] ${(i + 0.5) / TICKS < share ? 'bg-text' : 'bg-week-rest'}`}
        style={{ height: `${20 + (80 * i) / (TICKS - 1)}%` }}
      />
    ))}
  </span>
);

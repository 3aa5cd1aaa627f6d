import { useId } from 'react';
import { useEarlyChoice } from './early-choice.ts';

type SegmentedProps<Value extends string> = {
  /** For screen readers only. */
  label: string;
  options: readonly { value: Value; label: string }[];
  value: Value;
  onValueChange: (value: Value) => void;
  className?: string;
};

/** A few exclusive options. Native radio buttons, so arrow keys and forms work as usual. */
export function Segmented<Value extends string>({
  label,
  options,
  value,
  onValueChange,
  className = '',
}: SegmentedProps<Value>) {
  const name = useId();
  const group = useEarlyChoice<HTMLFieldSetElement, Value>(value, onValueChange);
  return (
    <fieldset
      ref={group}
      className={`inline-flex flex-wrap rounded-[25px] bg-raised p-[3px] ${className}`}
    >
      <legend className="sr-only">{label}</legend>
      {options.map((option) => (
        <label
          key={option.value}
          className="relative inline-flex min-h-11 items-center rounded-pill px-[18px] font-semibold text-text-2 transition-colors hover:text-text has-checked:bg-action has-checked:text-on-action has-focus-visible:outline-2 has-focus-visible:outline-offset-3 has-focus-visible:outline-focus md:min-h-[38px]"
        >
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
            onChange={() => onValueChange(option.value)}
            className="absolute inset-0 cursor-pointer appearance-none rounded-pill outline-none"
          />
          {option.label}
        </label>
      ))}
    </fieldset>
  );
}

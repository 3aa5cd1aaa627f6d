import { ChevronDown } from '../icons.ts';
import type { ComponentProps } from 'react';
import { useEarlyChoice } from './early-choice.ts';

type Option = { value: string; label: string };
type OptionGroup = { label: string; options: readonly Option[] };

type SelectProps = Omit<ComponentProps<'select'>, 'aria-label' | 'onChange' | 'value'> & {
  /** For screen readers only. */
  label: string;
  options: readonly (Option | OptionGroup)[];
  value: string;
  onValueChange: (value: string) => void;
};

const renderOption = ({ value, label }: Option) => (
  <option key={value} value={value}>
    {label}
  </option>
);

/** The browser's own select, so that phones show their native picker. */
export function Select({
  label,
  options,
  value,
  onValueChange,
  className = '',
  ...rest
}: SelectProps) {
  const select = useEarlyChoice<HTMLSelectElement, string>(value, onValueChange);
  return (
    <span className={`relative inline-flex items-center ${className}`}>
      <select
        ref={select}
        aria-label={label}
        value={value}
        onChange={(event) => onValueChange(event.target.value)}
        className="min-h-11 w-full cursor-pointer appearance-none truncate rounded-pill bg-bg py-0 pr-10 pl-[18px] text-16 font-semibold text-text shadow-[inset_0_0_0_1px_var(--line-strong)] transition-shadow hover:shadow-[inset_0_0_0_1px_var(--text)] md:text-14"
        {...rest}
      >
        {options.map((entry) =>
          'options' in entry ? (
            <optgroup key={entry.label} label={entry.label}>
              {entry.options.map(renderOption)}
            </optgroup>
          ) : (
            renderOption(entry)
          ),
        )}
      </select>
      <ChevronDown className="pointer-events-none absolute right-3.5 size-4 text-text-2" />
    </span>
  );
}

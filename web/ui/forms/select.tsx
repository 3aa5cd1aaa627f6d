import { ChevronDown } from '../icons.ts';
import type { ComponentProps } from 'react';

type SelectProps = Omit<ComponentProps<'select'>, 'aria-label' | 'onChange' | 'value'> & {
  /** For screen readers only. */
  label: string;
  options: readonly { value: string; label: string }[];
  value: string;
  onValueChange: (value: string) => void;
};

/** The browser's own select, so that phones show their native picker. */
export function Select({
  label,
  options,
  value,
  onValueChange,
  className = '',
  ...rest
}: SelectProps) {
  return (
    <span className={`relative inline-flex items-center ${className}`}>
      <select
        aria-label={label}
        value={value}
        onChange={(event) => onValueChange(event.target.value)}
        className="min-h-11 w-full cursor-pointer appearance-none truncate rounded-pill bg-bg py-0 pr-10 pl-[18px] text-16 font-semibold text-text shadow-[inset_0_0_0_1px_var(--line-strong)] transition-shadow hover:shadow-[inset_0_0_0_1px_var(--text)] md:text-14"
        {...rest}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      <ChevronDown
        aria-hidden
        strokeWidth={1.75}
        className="pointer-events-none absolute right-3.5 size-4 text-text-2"
      />
    </span>
  );
}

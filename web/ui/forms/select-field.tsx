import { ChevronDown } from '../icons.ts';
import type { ComponentProps, ReactNode } from 'react';
import { FieldFrame, inputClass } from './field.tsx';

type SelectFieldProps = Omit<ComponentProps<'select'>, 'id' | 'children'> & {
  label: string;
  hint?: ReactNode;
  error?: string | undefined;
  options: readonly { value: string; label: string }[];
};

/** One of a few, between other fields of a form. `className` is that of the frame. */
export const SelectField = ({
  label,
  hint,
  error,
  options,
  className = '',
  ...rest
}: SelectFieldProps) => (
  <FieldFrame label={label} hint={hint} error={error} className={className}>
    {(control) => (
      <span className="relative">
        <select className={`${inputClass} appearance-none truncate pr-10`} {...rest} {...control}>
          {options.map(({ value, label: name }) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </select>
        <ChevronDown className="pointer-events-none absolute top-3.5 right-3.5 size-4 text-text-2" />
      </span>
    )}
  </FieldFrame>
);

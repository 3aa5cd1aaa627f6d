import { useId } from 'react';
import { Button } from '#web/ui/button.tsx';
import { inputClass } from '#web/ui/forms/field.tsx';
import { CircleAlert } from '#web/ui/icons.ts';
import type { TypedRate } from './setting-fields.ts';

type VatRatesProps = {
  label: string;
  hint: string;
  error: string | undefined;
  rates: readonly TypedRate[];
  onChange: (rates: TypedRate[]) => void;
};

/** A short list of rates with their first days. */
export function VatRates({ label, hint, error, rates, onChange }: VatRatesProps) {
  const id = useId();
  const change = (index: number, part: Partial<TypedRate>) =>
    onChange(rates.map((rate, at) => (at === index ? { ...rate, ...part } : rate)));
  return (
    <div
      role="group"
      aria-labelledby={id}
      aria-describedby={`${id}-hint`}
      className="grid grid-cols-1 gap-1.5"
    >
      <span id={id} className="font-medium">
        {label}
      </span>
      <ul className="grid gap-2">
        {rates.map((rate, index) => (
          // The list has no other identity than its order.
          <li key={index} className="flex flex-wrap items-center gap-2">
            <span className="flex items-center gap-1.5">
              <input
                name="vatRates"
                aria-label={`VAT rate ${index + 1}, percent`}
                aria-invalid={error ? true : undefined}
                inputMode="decimal"
                className={`${inputClass} w-20! text-right`}
                value={rate.percent}
                onChange={({ target }) => change(index, { percent: target.value })}
              />
              %
            </span>
            <label className="flex max-w-full flex-wrap items-center gap-2">
              from
              <input
                type="date"
                aria-label={`First day of VAT rate ${index + 1}`}
                aria-invalid={error ? true : undefined}
                className={`${inputClass} w-auto! max-w-full`}
                value={rate.from}
                onChange={({ target }) => change(index, { from: target.value })}
              />
            </label>
            {rates.length > 1 && (
              <Button
                variant="quiet"
                size="sm"
                aria-label={`Remove VAT rate ${index + 1}`}
                onClick={() => onChange(rates.filter((_, at) => at !== index))}
              >
                Remove
              </Button>
            )}
          </li>
        ))}
      </ul>
      <Button
        variant="line"
        size="sm"
        className="justify-self-start"
        onClick={() => onChange([...rates, { percent: '', from: '' }])}
      >
        Plan another rate
      </Button>
      {error ? (
        <p id={`${id}-hint`} className="flex items-start gap-1.5 text-13 text-danger">
          <CircleAlert className="mt-px size-4 shrink-0" />
          {error}
        </p>
      ) : (
        <p id={`${id}-hint`} className="text-13 text-text-3">
          {hint}
        </p>
      )}
    </div>
  );
}

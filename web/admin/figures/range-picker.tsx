import { useState, type FormEvent } from 'react';
import { addDays, findRangeProblem, type DayRange } from '#contract/rules/report-days.ts';
import { Button } from '#web/ui/button.tsx';
import { inputClass } from '#web/ui/forms/field.tsx';
import { Segmented } from '#web/ui/forms/segmented.tsx';

const PRESETS = { '7': '7 days', '30': '30 days', '365': 'Year' } as const;
type Preset = keyof typeof PRESETS | 'custom';

const lastDays = (today: string, days: number): DayRange => ({
  from: addDays(today, 1 - days),
  to: today,
});

const DEFAULT_DAYS = 30;

/** The range in the address, or the last 30 days if it is invalid. */
export const readRange = (range: DayRange, today: string): DayRange =>
  findRangeProblem(range, today) ? lastDays(today, DEFAULT_DAYS) : range;

const findPreset = ({ from, to }: DayRange, today: string): Preset =>
  (Object.keys(PRESETS) as (keyof typeof PRESETS)[]).find(
    (days) => to === today && from === lastDays(today, Number(days)).from,
  ) ?? 'custom';

type RangePickerProps = { range: DayRange; today: string; onChange: (range: DayRange) => void };

const options = [
  ...Object.entries(PRESETS).map(([value, label]) => ({ value: value as Preset, label })),
  { value: 'custom' as Preset, label: 'Custom' },
];

/** Presets, or any range; both ends are inclusive. */
export function RangePicker({ range, today, onChange }: RangePickerProps) {
  const [isCustom, setIsCustom] = useState(false);
  const preset = isCustom ? 'custom' : findPreset(range, today);
  return (
    <div className="flex flex-wrap items-center gap-3">
      <Segmented
        label="Period"
        options={options}
        value={preset}
        onValueChange={(value) => {
          setIsCustom(value === 'custom');
          if (value !== 'custom') onChange(lastDays(today, Number(value)));
        }}
      />
      {preset === 'custom' && (
        <CustomDays key={`${range.from}/${range.to}`} {...{ range, today, onChange }} />
      )}
    </div>
  );
}

function CustomDays({ range, today, onChange }: RangePickerProps) {
  const [draft, setDraft] = useState(range);
  const [problem, setProblem] = useState<string | null>(null);
  function submit(event: FormEvent) {
    event.preventDefault();
    const found = findRangeProblem(draft, today);
    setProblem(found);
    if (!found) onChange(draft);
  }
  const dayField = (name: keyof DayRange, label: string) => (
    <label className="flex items-center gap-2 text-13 text-text-2">
      {label}
      <input
        type="date"
        className={`${inputClass} w-40`}
        value={draft[name]}
        max={today}
        aria-invalid={problem !== null}
        onChange={(event) => setDraft({ ...draft, [name]: event.target.value })}
      />
    </label>
  );
  return (
    <form onSubmit={submit} className="flex flex-wrap items-center gap-3" noValidate>
      {dayField('from', 'From')}
      {dayField('to', 'To')}
      <Button type="submit" variant="line" size="sm">
        Apply
      </Button>
      {problem && (
        <p role="alert" className="text-13 text-danger">
          {problem}
        </p>
      )}
    </form>
  );
}

import type { SettingName } from '#contract/admin/settings.ts';
import type { LookImageKind } from '#contract/look.ts';
import { formatNumber } from '#web/lib/format/format.ts';
import { Field, TextAreaField } from '#web/ui/forms/field.tsx';
import { SelectField } from '#web/ui/forms/select-field.tsx';
import { listChoices, settingFields } from './setting-fields.ts';
import { useSettingsDraft } from './settings-form.tsx';
import { VatRates } from './vat-rates.tsx';

type InputProps = {
  name: Exclude<SettingName, 'links' | LookImageKind>;
  /** Of a text of several lines. */
  rows?: number;
};

/** `12 of 60 characters` */
const describeLength = (text: string, limit: number): string =>
  `${text.trim().length} of ${formatNumber(limit)} characters`;

/** The input of a setting, with its label, hint and error. */
export function SettingInput({ name, rows = 4 }: InputProps) {
  const { settings, typed, errors, change } = useSettingsDraft();
  const field = settingFields[name];
  const { label, kind, limit } = field;
  const isFixed = settings.fixed.includes(name);
  if (name === 'vatRates')
    return (
      <VatRates
        label={label}
        hint={field.hint}
        error={errors.vatRates}
        rates={typed.vatRates}
        onChange={(rates) => change('vatRates', rates)}
      />
    );
  const value = typed[name];
  const isTooLong = limit !== undefined && value.trim().length > limit;
  const hint = isFixed ? 'Set by an environment variable; change it on the server.' : field.hint;
  const frame = {
    label,
    hint:
      limit === undefined ? (
        hint
      ) : (
        <span className="flex flex-wrap justify-between gap-x-4">
          <span>{hint}</span>
          <span className="tabular-nums">{describeLength(value, limit)}</span>
        </span>
      ),
    error: isTooLong
      ? `Use at most ${formatNumber(limit)} characters: these are ${formatNumber(value.trim().length)}.`
      : (errors[name] ?? field.findProblem?.(value) ?? undefined),
  };
  const input = {
    name,
    value,
    disabled: isFixed,
    onChange: ({ target }: { target: { value: string } }) => change(name, target.value),
  };
  const choices = listChoices(field);
  if (choices) return <SelectField {...frame} {...input} options={choices} />;
  const isText = kind === 'text' || kind === 'lines';
  if (kind === 'lines')
    return <TextAreaField {...frame} {...input} rows={rows} spellCheck={limit !== undefined} />;
  return (
    <Field
      {...frame}
      {...input}
      inputMode={isText ? 'text' : 'decimal'}
      spellCheck={limit !== undefined}
    />
  );
}

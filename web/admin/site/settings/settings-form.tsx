import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { z } from 'zod';
import { SettingValues, type SiteSettings } from '#contract/admin/settings.ts';
import { WEEKDAYS } from '#contract/admin/release-time.ts';
import { MONTHS } from '#contract/rules/days.ts';
import { ApiError, call } from '#web/lib/api/api.ts';
import { Form } from '#web/ui/forms/form.tsx';
import { parseValues, type FieldErrors } from '#web/ui/forms/parse-form.ts';
import { showToast } from '#web/lib/store/toasts.ts';
import { Field, FieldFrame, inputClass, TextAreaField } from '#web/ui/forms/field.tsx';
import { useUnsavedChanges } from '#web/ui/forms/unsaved-changes.tsx';
import { siteSettingsQuery } from './api.ts';
import {
  parseRates,
  parseValue,
  settingGroups,
  formatRates,
  formatValue,
  type SettingField,
} from './setting-fields.ts';
import { VatRates } from './vat-rates.tsx';

const allFields = settingGroups.flatMap(({ fields }) => fields);

type Choice = { value: string; label: string };

const weekdays: Choice[] = WEEKDAYS.map((label, index) => ({ value: String(index), label }));
const months: Choice[] = MONTHS.map((label, index) => ({ value: String(index + 1), label }));
const vatCategories: Choice[] = [
  { value: 'A', label: 'Two months, ending in odd months (category A)' },
  { value: 'B', label: 'Two months, ending in even months (category B)' },
  { value: 'C', label: 'Every month (category C)' },
];
const yesOrNo: Choice[] = [
  { value: 'false', label: 'No' },
  { value: 'true', label: 'Yes' },
];

/** The options of a select; null for a field to type in. */
function choicesOf(kind: SettingField['kind']): Choice[] | null {
  if (kind === 'weekday') return weekdays;
  if (kind === 'month') return months;
  if (kind === 'vat-category') return vatCategories;
  return kind === 'yes-no' ? yesOrNo : null;
}

/** The fields as they are typed. */
type TypedSettings = Record<string, string>;

const toTyped = ({ values }: SiteSettings): TypedSettings =>
  Object.fromEntries(allFields.map((field) => [field.name, formatValue(field, values)]));

type SettingsChange = z.output<typeof ChangedSettings>;
const ChangedSettings = SettingValues.partial();

/** The changed values, checked by the contract. */
function readChange(typed: TypedSettings, settings: SiteSettings) {
  const entries = allFields
    .filter(({ name }) => !settings.fixed.includes(name))
    .filter((field) => typed[field.name] !== formatValue(field, settings.values))
    .map((field) => [field.name, parseValue(field, typed[field.name] ?? '')] as const);
  return parseValues(ChangedSettings, Object.fromEntries(entries));
}

/** The server prefixes field names with `values.`, and names the part of a list. */
const removePrefix = (fields: FieldErrors): FieldErrors =>
  Object.fromEntries(
    Object.entries(fields).map(([name, text]) => [name.replace(/^values\.(\w+).*$/, '$1'), text]),
  );

export function SettingsForm({ settings }: { settings: SiteSettings }) {
  const client = useQueryClient();
  const before = toTyped(settings);
  const [typed, setTyped] = useState(before);
  const unsaved = useUnsavedChanges({
    name: 'settings',
    form: typed,
    before,
    onRestore: (changes) => setTyped({ ...typed, ...(changes as TypedSettings) }),
  });
  async function save(values: SettingsChange): Promise<void> {
    const saved = await call('PATCH /api/admin/settings', {
      body: { version: settings.version, values },
    });
    unsaved.clear();
    setTyped(toTyped(saved));
    client.setQueryData(siteSettingsQuery.queryKey, saved);
    showToast({ title: 'Settings saved' });
  }

  return (
    <Form
      className="grid items-start gap-x-14 gap-y-9 @double/content:grid-cols-2 [&>:is(div,fieldset)]:min-w-0"
      notice={unsaved.notice}
      submitLabel="Save settings"
      button={{ className: 'justify-self-start @3xl/content:ml-60' }}
      parse={() => readChange(typed, settings)}
      onSubmit={save}
      failed="Couldn’t save the settings."
      renderFailure={(error) =>
        error instanceof ApiError &&
        error.code === 'settings_changed' && (
          <button type="button" onClick={() => void client.resetQueries(siteSettingsQuery)}>
            Load current settings
          </button>
        )
      }
      toFieldErrors={removePrefix}
    >
      {(errors) =>
        settingGroups.map(({ title, fields }) => (
          <fieldset
            key={title}
            className="grid gap-x-10 gap-y-5 @3xl/content:grid-cols-[200px_minmax(0,520px)]"
          >
            <legend className="float-left type-section @max-3xl/content:mb-4">{title}</legend>
            <div className="flex flex-col gap-5 @3xl/content:col-start-2">
              {fields.map((field) => {
                const isFixed = settings.fixed.includes(field.name);
                const frame = {
                  label: field.label,
                  hint: isFixed
                    ? 'Set by an environment variable; change it on the server.'
                    : field.hint,
                  error: errors[field.name],
                };
                const input = {
                  name: field.name,
                  value: typed[field.name] ?? '',
                  disabled: isFixed,
                  onChange: ({ target }: { target: { value: string } }) =>
                    setTyped({ ...typed, [field.name]: target.value }),
                };
                const choices = choicesOf(field.kind);
                if (choices)
                  return (
                    <FieldFrame key={field.name} {...frame}>
                      {(control) => (
                        <select className={inputClass} {...input} {...control}>
                          {choices.map(({ value, label }) => (
                            <option key={value} value={value}>
                              {label}
                            </option>
                          ))}
                        </select>
                      )}
                    </FieldFrame>
                  );
                if (field.kind === 'vat-rates')
                  return (
                    <VatRates
                      key={field.name}
                      {...frame}
                      rates={parseRates(input.value)}
                      onChange={(rates) => setTyped({ ...typed, [field.name]: formatRates(rates) })}
                    />
                  );
                if (field.kind === 'lines')
                  return (
                    <TextAreaField
                      key={field.name}
                      {...frame}
                      {...input}
                      rows={4}
                      spellCheck={false}
                    />
                  );
                return (
                  <Field
                    key={field.name}
                    {...frame}
                    {...input}
                    inputMode={field.kind === 'text' ? 'text' : 'decimal'}
                    spellCheck={false}
                  />
                );
              })}
            </div>
          </fieldset>
        ))
      }
    </Form>
  );
}

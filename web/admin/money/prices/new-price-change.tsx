import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { DEFAULT_NOTICE_DAYS, NewPriceChange } from '#contract/admin/prices.ts';
import type { Plan } from '#contract/rules/plans.ts';
import { call } from '#web/lib/api/api.ts';
import { boot } from '#web/lib/store/boot.ts';
import { parseValues, readText } from '#web/ui/forms/parse-form.ts';
import { showToast } from '#web/lib/store/toasts.ts';
import { Form } from '#web/ui/forms/form.tsx';
import { Field } from '#web/ui/forms/field.tsx';
import { Segmented } from '#web/ui/forms/segmented.tsx';
import { parseAmount } from '#web/admin/money/parse-amount.ts';
import { siteSettingsQuery } from '#web/admin/site/settings/api.ts';
import { pricesQuery } from './price-change-list.tsx';
import type { z } from 'zod';
import { parseZoned } from '#contract/rules/zoned-time.ts';

const plans = [
  { value: 'monthly', label: 'Monthly' },
  { value: 'annual', label: 'Annual' },
] as const;

export function NewPriceChangeForm() {
  const client = useQueryClient();
  const [plan, setPlan] = useState<Plan>('monthly');
  return (
    <Form
      className="flex max-w-xl flex-col gap-4"
      submitLabel="Plan price change"
      button={{ className: 'self-start' }}
      parse={(element) => {
        const form = new FormData(element);
        form.set('plan', plan);
        return parseValues(NewPriceChange, parsePriceChange(form, boot.timeZone));
      }}
      onSubmit={async (body, form) => {
        const prices = await call('POST /api/admin/prices/changes', { body });
        form.reset();
        client.setQueryData(pricesQuery.queryKey, prices);
        void client.invalidateQueries({ queryKey: siteSettingsQuery.queryKey });
        showToast({ title: 'Price change planned', description: 'We’re telling subscribers now.' });
      }}
      failed="Couldn’t plan the price change."
    >
      {(errors) => (
        <>
          <Segmented
            label="Plan"
            options={plans}
            value={plan}
            onValueChange={setPlan}
            className="self-start"
          />
          <div className="grid items-start gap-4 @xl/content:grid-cols-2">
            <Field label="New price (R)" name="amount" inputMode="decimal" error={errors.amount} />
            <Field
              label="From"
              name="startsAt"
              type="date"
              hint="New subscriptions cost the new price from this day."
              error={errors.startsAt}
            />
            <Field
              label="Notice (days)"
              name="noticeDays"
              inputMode="numeric"
              defaultValue={String(DEFAULT_NOTICE_DAYS)}
              hint="How long subscribers keep the old price after we tell them. A lower price needs no notice."
              error={errors.noticeDays}
            />
          </div>
          <p className="text-13 text-text-2">
            Everyone on the old price is e-mailed now and pays the new one from their first payment
            after the notice period.
          </p>
        </>
      )}
    </Form>
  );
}

const toNumber = (text: string): number => (text.trim() === '' ? Number.NaN : Number(text));

/** The values of the form as the contract names them, not yet validated. A day starts at midnight. */
export function parsePriceChange(
  form: FormData,
  timeZone: string,
): Record<keyof z.input<typeof NewPriceChange>, unknown> {
  return {
    plan: readText(form, 'plan'),
    amount: parseAmount(readText(form, 'amount')),
    startsAt: parseZoned(`${readText(form, 'startsAt')}T00:00`, timeZone) ?? Number.NaN,
    noticeDays: toNumber(readText(form, 'noticeDays')),
  };
}

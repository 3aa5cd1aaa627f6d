import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { NewCoupon } from '#contract/admin/billing.ts';
import { call } from '#web/lib/api/api.ts';
import { parseValues, readText } from '#web/ui/forms/parse-form.ts';
import { Form } from '#web/ui/forms/form.tsx';
import { showToast } from '#web/lib/store/toasts.ts';
import { Checkbox, Field } from '#web/ui/forms/field.tsx';
import { Segmented } from '#web/ui/forms/segmented.tsx';
import { couponsQuery, describeTooSmall } from './coupon-list.tsx';

type Kind = 'percent' | 'free';
const kinds = [
  { value: 'percent', label: 'Percentage off' },
  { value: 'free', label: 'Free days' },
] as const;

export function NewCouponForm() {
  const client = useQueryClient();
  const [kind, setKind] = useState<Kind>('percent');
  return (
    <Form
      className="flex max-w-xl flex-col gap-4"
      submitLabel="Create code"
      button={{ className: 'self-start' }}
      parse={(form) => {
        const values = new FormData(form);
        values.set('kind', kind);
        return parseValues(NewCoupon, parseCouponForm(values));
      }}
      onSubmit={async (body, form) => {
        const coupon = await call('POST /api/admin/coupons', { body });
        form.reset();
        await client.invalidateQueries({ queryKey: couponsQuery.queryKey });
        showToast({
          title: `Code ${coupon.code} created`,
          ...(coupon.tooSmallFor.length > 0 && { description: describeTooSmall(coupon) }),
        });
      }}
      failed="Couldn’t create the code."
    >
      {(errors) => (
        <>
          <Segmented
            label="Type"
            options={kinds}
            value={kind}
            onValueChange={setKind}
            className="self-start"
          />
          <div className="grid items-start gap-4 @xl/content:grid-cols-2">
            <Field
              label="Code"
              name="code"
              autoCapitalize="characters"
              spellCheck={false}
              autoComplete="off"
              hint="3 to 32 letters, digits and dashes."
              error={errors.code}
            />
            <Field
              label={
                kind === 'percent'
                  ? 'Percent off the first payment'
                  : 'Free days before the first payment'
              }
              name="amount"
              inputMode="numeric"
              hint={kind === 'percent' ? '1 to 99.' : '1 to 366.'}
              error={errors.percent ?? errors.freeDays}
            />
            <Field
              label="Usage limit"
              name="maxUses"
              inputMode="numeric"
              hint="Leave empty for no limit."
              error={errors.maxUses}
            />
            <Field
              label="Expires"
              name="endsAt"
              type="datetime-local"
              hint="Leave empty for no expiry."
              error={errors.endsAt}
            />
          </div>
          <fieldset className="flex flex-wrap gap-x-6">
            <legend className="font-medium">Valid for</legend>
            <Checkbox name="monthly" label="Monthly" defaultChecked />
            <Checkbox name="annual" label="Annual" defaultChecked />
            {errors.plans && (
              <p role="alert" className="w-full text-13 text-danger">
                {errors.plans}
              </p>
            )}
          </fieldset>
        </>
      )}
    </Form>
  );
}

const toTime = (text: FormDataEntryValue | null): number | null =>
  typeof text === 'string' && text ? new Date(text).getTime() : null;
const toNumber = (text: FormDataEntryValue | null): number | null =>
  typeof text === 'string' && text.trim() ? Number(text) : null;

/** The values of the form as the contract names them, not yet validated. */
export function parseCouponForm(form: FormData): NewCoupon {
  const limits = {
    code: readText(form, 'code'),
    plans: (['monthly', 'annual'] as const).filter((plan) => form.get(plan) === 'on'),
    maxUses: toNumber(form.get('maxUses')),
    startsAt: toTime(form.get('startsAt')),
    endsAt: toTime(form.get('endsAt')),
  };
  const amount = toNumber(form.get('amount')) ?? Number.NaN;
  return form.get('kind') === 'free'
    ? { kind: 'free', freeDays: amount, ...limits }
    : { kind: 'percent', percent: amount, ...limits };
}

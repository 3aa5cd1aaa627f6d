import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { NewCoupon } from '#contract/admin/billing.ts';
import { call } from '#web/lib/api/api.ts';
import { parseValues } from '#web/ui/forms/parse-form.ts';
import { useForm } from '#web/ui/forms/use-form.ts';
import { showToast } from '#web/lib/store/toasts.ts';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/forms/field.tsx';
import { Segmented } from '#web/ui/forms/segmented.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { couponsQuery, describeTooSmall } from './coupon-list.tsx';
import { parseCouponForm } from './parse-coupon-form.ts';

type Kind = 'percent' | 'free';
const kinds = [
  { value: 'percent', label: 'Percentage off' },
  { value: 'free', label: 'Free days' },
] as const;

const checkClass = 'flex min-h-11 items-center gap-3';

export function NewCouponForm() {
  const client = useQueryClient();
  const [kind, setKind] = useState<Kind>('percent');
  const { submit, errors, failure, isSending } = useForm({
    parse: (form) => {
      const values = new FormData(form);
      values.set('kind', kind);
      return parseValues(NewCoupon, parseCouponForm(values));
    },
    onSubmit: async (body, form) => {
      const coupon = await call('POST /api/admin/coupons', { body });
      form.reset();
      await client.invalidateQueries({ queryKey: couponsQuery.queryKey });
      showToast({
        title: `Code ${coupon.code} created`,
        ...(coupon.tooSmallFor.length > 0 && { description: describeTooSmall(coupon) }),
      });
    },
    failed: 'Couldn’t create the code.',
  });

  return (
    <form noValidate onSubmit={submit} className="flex max-w-xl flex-col gap-4">
      {failure && <Notice tone="danger" title={failure} />}
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
        <label className={checkClass}>
          <input
            type="checkbox"
            name="monthly"
            defaultChecked
            className="size-5 accent-(--action)"
          />
          Monthly
        </label>
        <label className={checkClass}>
          <input
            type="checkbox"
            name="annual"
            defaultChecked
            className="size-5 accent-(--action)"
          />
          Annual
        </label>
        {errors.plans && (
          <p role="alert" className="w-full text-13 text-danger">
            {errors.plans}
          </p>
        )}
      </fieldset>
      <Button type="submit" className="self-start" aria-disabled={isSending}>
        Create code
      </Button>
    </form>
  );
}

import type { NewCoupon } from '#contract/admin/billing.ts';
import { readText } from '#web/ui/forms/parse-form.ts';

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

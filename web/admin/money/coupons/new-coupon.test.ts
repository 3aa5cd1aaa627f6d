import { expect, it } from 'vitest';
import { parseCouponForm } from './new-coupon.tsx';

function fill(values: Record<string, string>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(values)) form.set(name, value);
  return form;
}

it('parses a percentage or free days for the selected plans', () => {
  const form = fill({ kind: 'percent', amount: '50', code: 'SUMMER', monthly: 'on', maxUses: '' });
  expect(parseCouponForm(form)).toEqual({
    kind: 'percent',
    percent: 50,
    code: 'SUMMER',
    plans: ['monthly'],
    maxUses: null,
    startsAt: null,
    endsAt: null,
  });
  expect(
    parseCouponForm(fill({ kind: 'free', amount: '30', code: 'X', maxUses: '5' })),
  ).toMatchObject({
    kind: 'free',
    freeDays: 30,
    plans: [],
    maxUses: 5,
  });
});

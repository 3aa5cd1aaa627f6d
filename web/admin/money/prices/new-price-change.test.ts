import { expect, it } from 'vitest';
import { NewPriceChange } from '#contract/admin/prices.ts';
import { parseValues } from '#web/ui/forms/parse-form.ts';
import { parsePriceChange } from './new-price-change.tsx';

const parse = (values: Record<string, string>) => {
  const form = new FormData();
  const all = {
    plan: 'monthly',
    amount: '99',
    startsAt: '2027-03-03',
    noticeDays: '30',
    ...values,
  };
  for (const [name, value] of Object.entries(all)) form.set(name, value);
  return parseValues(NewPriceChange, parsePriceChange(form, 'Africa/Johannesburg'));
};

it('reads rand as cents and a day as its midnight on the site', () => {
  expect(parse({ amount: '99.5' }).data).toEqual({
    plan: 'monthly',
    amount: 99_50,
    startsAt: Date.parse('2027-03-02T22:00:00Z'),
    noticeDays: 30,
  });
});

it.each([
  ['amount', { amount: '' }],
  ['amount', { amount: 'ninety' }],
  ['startsAt', { startsAt: '' }],
  ['noticeDays', { noticeDays: '3' }],
])('explains what is wrong with %s', (field, values) => {
  expect(Object.keys(parse(values).errors ?? {})).toEqual([field]);
});

import { expect, it } from 'vitest';
import { CURRENCY, plans } from './plans.ts';

it('a month is R79 and a year is R790, in cents', () => {
  expect(CURRENCY).toBe('ZAR');
  expect(plans).toEqual({ monthly: { amount: 7900 }, annual: { amount: 79_000 } });
});

import { describe, expect, it } from 'vitest';
import type { Plans } from '#contract/billing.ts';
import { describePrice } from './plan-texts.ts';

const plans = (monthly: number, annual: number): Plans => ({
  currency: 'ZAR',
  monthly: { amount: monthly },
  annual: { amount: annual },
  trialDays: 0,
});

describe('the line below a price', () => {
  it.each([
    ['monthly', 79_00, 790_00, 'Per month. Cancel any time.'],
    ['annual', 79_00, 790_00, 'Per year. Two months free compared with monthly.'],
    ['annual', 79_00, 869_00, 'Per year. One month free compared with monthly.'],
    ['annual', 79_00, 800_00, 'Per year. Save R148 compared with monthly.'],
    ['annual', 79_00, 948_00, 'Per year. Cancel any time.'],
  ] as const)('%s at %i and %i cents', (plan, monthly, annual, text) =>
    expect(describePrice(plan, plans(monthly, annual))).toBe(text),
  );
});

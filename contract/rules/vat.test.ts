import fc from 'fast-check';
import { expect, it } from 'vitest';
import { toVatPercent, toVatRate, vatIn } from './vat.ts';

it.each([
  [79_00, 15, 10_30],
  [790_00, 15, 103_04],
  [115_00, 15, 15_00],
  [1, 15, 0],
  [4, 15, 1],
  // Exactly one cent.
  [3, 50, 1],
  [79_00, 15.5, 10_60],
  [0, 15, 0],
])('%d cents with %d%% VAT contain %d', (amount, percent, vat) => {
  expect(vatIn(amount, toVatRate(percent))).toBe(vat);
});

const anyAmount = fc.integer({ min: 0, max: 10_000_000 });
const anyRate = fc.integer({ min: 1, max: 5000 });

it('is the nearest cent, and never decreases when the amount grows', () => {
  fc.assert(
    fc.property(anyAmount, anyAmount, anyRate, (a, b, rate) => {
      const exact = (a * rate) / (10_000 + rate);
      expect(Math.abs(vatIn(a, rate) - exact)).toBeLessThanOrEqual(0.5 + 1e-9);
      expect(vatIn(Math.min(a, b), rate)).toBeLessThanOrEqual(vatIn(Math.max(a, b), rate));
    }),
  );
});

it('keeps every percentage with two decimals', () => {
  fc.assert(
    fc.property(anyRate, (rate) => {
      expect(toVatRate(toVatPercent(rate))).toBe(rate);
    }),
  );
});

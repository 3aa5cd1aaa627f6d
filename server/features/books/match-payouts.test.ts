import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { PayoutPayment } from '#contract/admin/books.ts';
import { matchPayouts, netOf } from './match-payouts.ts';

const pay = (at: number, amount: number, fee: number | null = 0): PayoutPayment => ({
  kind: amount < 0 ? 'refund' : 'sale',
  number: String(at),
  at,
  amount,
  fee,
});
const numbersOf = (found: ReturnType<typeof matchPayouts>) =>
  found.map(({ payments, difference }) => [payments.map(({ at }) => at), difference]);

it('a payout is the run of payments, refunds and card checks that adds up to it', () => {
  const payments = [pay(1, 79_00, 3_29), pay(2, 1_00, 3), pay(3, -1_00), pay(4, 79_00, 3_29)];
  const payouts = [
    { at: 5, amount: 75_68 },
    { at: 9, amount: 75_71 },
  ];
  expect(numbersOf(matchPayouts(payouts, payments))).toEqual([
    [[1, 2, 3], 0],
    [[4], 0],
  ]);
});

it('what was paid shortly before a payout may belong to the next', () => {
  const payments = [pay(1, 10), pay(2, 20), pay(3, 40), pay(4, 80)];
  const payouts = [
    { at: 4, amount: 30 },
    { at: 6, amount: 120 },
  ];
  expect(numbersOf(matchPayouts(payouts, payments))).toEqual([
    [[1, 2], 0],
    [[3, 4], 0],
  ]);
});

it('without a run that adds up it is everything since the payout before, with the difference', () => {
  const payments = [pay(1, 10), pay(2, 20), pay(7, 40)];
  const payouts = [
    { at: 5, amount: 25 },
    { at: 9, amount: 40 },
  ];
  expect(numbersOf(matchPayouts(payouts, payments))).toEqual([
    [[1, 2], -5],
    [[7], 0],
  ]);
});

it('finds its way after money that we don’t know', () => {
  const payments = [pay(1, 11), pay(2, 20), pay(3, 33)];
  expect(numbersOf(matchPayouts([{ at: 5, amount: 53 }], payments))).toEqual([[[2, 3], 0]]);
  expect(matchPayouts([{ at: 5, amount: 53 }], [])).toEqual([{ payments: [], difference: 53 }]);
});

const anyPayments = fc.array(
  fc.record({
    amount: fc.integer({ min: -500, max: 9000 }),
    fee: fc.integer({ min: 0, max: 300 }),
  }),
  { minLength: 1, maxLength: 60 },
);

it('no payment is in two payouts, and payments plus difference are what was paid out', () => {
  fc.assert(
    fc.property(anyPayments, fc.array(fc.integer({ min: 1, max: 61 })), (all, days) => {
      const payments = all.map(({ amount, fee }, index) => pay(index, amount, fee));
      const payouts = [...new Set(days)]
        .toSorted((a, b) => a - b)
        .map((at) => ({ at, amount: (at * 997) % 5000 }));
      const matches = matchPayouts(payouts, payments);
      const used = matches.flatMap(({ payments: found }) => found.map(({ at }) => at));
      expect(new Set(used).size).toBe(used.length);
      for (const [index, { payments: found, difference }] of matches.entries()) {
        const sum = found.reduce((total, payment) => total + netOf(payment), 0);
        expect(sum + difference).toBe(payouts[index]?.amount);
        for (const { at } of found) expect(at).toBeLessThan(payouts[index]?.at ?? 0);
      }
    }),
  );
});

import { describe, expect, it } from 'vitest';
import type { Plans, Quote, Subscription } from '#contract/billing.ts';
import { describeGift, describeRedeemed } from './gift-words.ts';
import {
  describeCard,
  describeChange,
  describeQuote,
  describeStatus,
  describeTerms,
  nameDay,
} from './words.ts';
import { PREVIEW_TEXT } from '#contract/rules/preview.ts';

const ZONE = 'Africa/Johannesburg';
const NOW = Date.parse('2026-11-15T10:00:00+02:00');
const MOMENT = { now: NOW, timeZone: ZONE };
const DECEMBER = Date.parse('2026-12-15T10:00:00+02:00');
const NEXT_YEAR = Date.parse('2027-11-15T10:00:00+02:00');

const plans = (monthly: number, annual: number): Plans => ({
  currency: 'ZAR',
  monthly: { amount: monthly },
  annual: { amount: annual },
  trialDays: 0,
});
const quote = (change: Partial<Quote>): Quote => ({
  plan: 'monthly',
  currency: 'ZAR',
  dueNow: 79_00,
  firstPaymentAt: NOW,
  thenAmount: 79_00,
  thenAt: DECEMBER,
  trialDays: 0,
  coupon: null,
  ...change,
});
const subscription = (change: Partial<Subscription>): Subscription => ({
  status: 'active',
  hasAccess: true,
  plan: 'monthly',
  currency: 'ZAR',
  paidThrough: DECEMBER,
  accessUntil: Date.parse('2026-12-18T10:00:00+02:00'),
  nextPayment: { at: DECEMBER, amount: 79_00, plan: 'monthly' },
  nextPlan: null,
  card: null,
  problem: null,
  canResume: false,
  pendingReference: null,
  elsewhere: [],
  ...change,
});

describe('a day', () => {
  it('is named without its year, unless that is another one', () => {
    expect(nameDay(DECEMBER, MOMENT)).toBe('15 December');
    expect(nameDay(NEXT_YEAR, MOMENT)).toBe('15 November 2027');
  });

  it('is the one where the site is at home', () => {
    const lateEvening = Date.parse('2026-12-31T23:30:00Z');
    expect(nameDay(lateEvening, MOMENT)).toBe('1 January 2027');
  });
});

describe('the terms of a plan', () => {
  it.each([
    ['monthly', 79_00, 790_00, 'Per month. Cancel any time.'],
    ['annual', 79_00, 790_00, 'Per year. Two months free against monthly.'],
    ['annual', 79_00, 869_00, 'Per year. One month free against monthly.'],
    ['annual', 79_00, 800_00, 'Per year. R148 less than twelve months.'],
    ['annual', 79_00, 948_00, 'Per year. Cancel any time.'],
  ] as const)('%s at %i and %i cents', (plan, monthly, annual, says) =>
    expect(describeTerms(plan, plans(monthly, annual))).toBe(says),
  );
});

describe('what happens next', () => {
  it.each([
    [
      'a month',
      quote({}),
      'You pay R79 today, then R79 every month from 15 December. Cancel any time.',
    ],
    [
      'a year',
      quote({ plan: 'annual', dueNow: 790_00, thenAmount: 790_00, thenAt: NEXT_YEAR }),
      'You pay R790 today, then R790 every year from 15 November 2027. Cancel any time.',
    ],
    [
      'half of the first month',
      quote({ dueNow: 39_50, coupon: { code: 'HALF', says: '50% off the first payment' } }),
      'You pay R39,50 today, then R79 every month from 15 December. Cancel any time.',
    ],
    [
      'a trial and half of the first month',
      quote({ dueNow: 0, firstPaymentAt: DECEMBER, trialDays: 30, thenAmount: 39_50 }),
      'You pay nothing today. On 15 December you pay R39,50, then R79 every month. Cancel before then and you pay nothing.',
    ],
    [
      'a trial',
      quote({ dueNow: 0, firstPaymentAt: DECEMBER, trialDays: 30 }),
      'You pay nothing today. From 15 December it is R79 every month. Cancel before then and you pay nothing.',
    ],
  ])('is said for %s before anything is charged', (_, asked, says) =>
    expect(describeQuote(asked, 79_00, MOMENT)).toBe(says),
  );
});

describe('the state of a subscription', () => {
  it.each([
    [subscription({}), 'Monthly. It renews by itself.'],
    [subscription({ nextPlan: 'annual' }), 'Monthly, and annual from 15 December.'],
    [subscription({ status: 'trial' }), 'Monthly, free until 15 December.'],
    [
      subscription({ status: 'cancelled', nextPayment: null }),
      'Cancelled. Full access stays until 15 December.',
    ],
    [subscription({ status: 'late' }), 'Monthly. Full access stays until 18 December.'],
    [
      subscription({ status: 'complimentary', plan: null, nextPayment: null }),
      'Nothing to pay. Full access until 15 December.',
    ],
    [
      subscription({ status: 'ended', hasAccess: false, problem: { since: NOW, message: '' } }),
      'Premium is off until the payment goes through.',
    ],
    [
      subscription({ status: 'ended', hasAccess: false }),
      `Your subscription has ended. You’re hearing ${PREVIEW_TEXT}s.`,
    ],
    [subscription({ status: 'free', hasAccess: false }), `You’re hearing ${PREVIEW_TEXT}s.`],
  ])('$status is one sentence', (state, says) => expect(describeStatus(state, MOMENT)).toBe(says));
});

it('a change of plan says what is paid and when, before it is made', () => {
  expect(
    describeChange({ plan: 'annual', amount: 790_00, currency: 'ZAR', at: DECEMBER }, MOMENT),
  ).toBe('You pay nothing now. On 15 December you pay R790, and then R790 every year.');
});

it('a card is told by its last four digits alone', () => {
  expect(describeCard({ brand: 'Visa', last4: '4081', expiryMonth: 8, expiryYear: 2029 })).toBe(
    'Visa ending in 4081, until 08/29',
  );
});

describe('a gift', () => {
  it('names who gives and for how long', () => {
    expect(describeGift(1, 'Thandi')).toMatch(/^Thandi gives you one month of Premium/);
    expect(describeGift(3, ' ')).toMatch(/^Somebody gives you 3 months of Premium/);
  });

  it('says until when it lasts', () => {
    expect(describeRedeemed(subscription({ paidThrough: DECEMBER }), MOMENT)).toBe(
      'You have Premium until 15 December. Full access to all content.',
    );
  });
});

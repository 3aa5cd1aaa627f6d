import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Quote, Subscription } from '#contract/billing.ts';
import { boot } from '#web/lib/store/boot.ts';
import { PREVIEW_TEXT } from '#contract/rules/preview.ts';
import {
  describeCancellation,
  describeCancelled,
  describeCancelling,
  describeGift,
  describeGiftCharges,
  describeHold,
  describeNextCharge,
  describePlanChange,
  describePriceChange,
  describeQuote,
  describeRedeemedGift,
  describeStatus,
  formatNearDay,
} from './subscription-texts.ts';

const siteZone = boot.timeZone;
beforeAll(() => void (boot.timeZone = 'Africa/Johannesburg'));
afterAll(() => void (boot.timeZone = siteZone));

const NOW = Date.parse('2026-11-15T10:00:00+02:00');
const DATES = { now: NOW };
const DECEMBER = Date.parse('2026-12-15T10:00:00+02:00');
const NEXT_YEAR = Date.parse('2027-11-15T10:00:00+02:00');

const quote = (change: Partial<Quote>): Quote => ({
  plan: 'monthly',
  currency: 'ZAR',
  dueNow: 79_00,
  cardCheck: 0,
  firstPaymentAt: NOW,
  thenAmount: 79_00,
  thenAt: DECEMBER,
  trialDays: 0,
  coupon: null,
  priceChange: null,
  ...change,
});
const problem = {
  since: NOW,
  until: Date.parse('2026-11-20T10:00:00+02:00'),
  message: 'Your bank declined it.',
  amount: 79_00,
  retryAt: null,
  needsMember: false,
};
const subscription = (change: Partial<Subscription>): Subscription => ({
  status: 'active',
  hasAccess: true,
  plan: 'monthly',
  currency: 'ZAR',
  paidThrough: DECEMBER,
  accessUntil: Date.parse('2026-12-18T10:00:00+02:00'),
  nextPayment: { at: DECEMBER, amount: 79_00, plan: 'monthly', isFirst: false },
  nextPlan: null,
  priceChange: null,
  card: null,
  problem: null,
  renews: true,
  withdrawal: null,
  canResume: false,
  isHeld: false,
  pending: null,
  ...change,
});

describe('formatNearDay', () => {
  it('omits the year unless it is another one', () => {
    expect(formatNearDay(DECEMBER, DATES)).toBe('15 December');
    expect(formatNearDay(NEXT_YEAR, DATES)).toBe('15 November 2027');
  });

  it('uses the time zone of the site', () => {
    const lateEvening = Date.parse('2026-12-31T23:30:00Z');
    expect(formatNearDay(lateEvening, DATES)).toBe('1 January 2027');
  });
});

describe('a quote', () => {
  it.each([
    ['a month', quote({}), 'R79 today, then R79 a month from 15 December. Cancel any time.'],
    [
      'a year',
      quote({ plan: 'annual', dueNow: 790_00, thenAmount: 790_00, thenAt: NEXT_YEAR }),
      'R790 today, then R790 a year from 15 November 2027. Cancel any time.',
    ],
    [
      'half of the first month',
      quote({ dueNow: 39_50, coupon: { code: 'HALF', description: '50% off the first payment' } }),
      'R39.50 today, then R79 a month from 15 December. Cancel any time.',
    ],
    [
      'a trial and half of the first month',
      quote({ dueNow: 0, firstPaymentAt: DECEMBER, trialDays: 30, thenAmount: 39_50 }),
      'Free today, then R39.50 on 15 December and R79 a month after that. Cancel before then and you won’t pay anything.',
    ],
    [
      'a trial',
      quote({ dueNow: 0, cardCheck: 1_00, firstPaymentAt: DECEMBER, trialDays: 30 }),
      'Free today, then R79 a month from 15 December. We check your card with R1, which goes straight back. Cancel before then and you won’t pay anything.',
    ],
    [
      'a plan that starts when a gift ends',
      quote({ dueNow: 0, cardCheck: 1_00, firstPaymentAt: DECEMBER }),
      'Nothing to pay while the time you have lasts, then R79 a month from 15 December. We check your card with R1, which goes straight back. Cancel before then and you won’t pay anything.',
    ],
    [
      'a month whose price will change',
      quote({ priceChange: { at: NEXT_YEAR, amount: 99_00 } }),
      'R79 today, then R79 a month from 15 December. Cancel any time. From 15 November 2027 it costs R99 a month.',
    ],
  ])('says what is charged and when, for %s', (_, quoted, text) =>
    expect(describeQuote(quoted, 79_00, DATES)).toBe(text),
  );
});

describe('the state of a subscription', () => {
  it.each([
    [subscription({}), 'Monthly, renews automatically.'],
    [subscription({ nextPlan: 'annual' }), 'Monthly, switching to annual on 15 December.'],
    [subscription({ status: 'trial' }), 'Monthly, free until 15 December.'],
    [
      subscription({
        nextPayment: { at: DECEMBER, amount: 79_00, plan: 'monthly', isFirst: true },
      }),
      'Monthly, from 15 December. Until then you use the time you have.',
    ],
    [
      subscription({ status: 'paid-once', plan: null, nextPayment: null, renews: false }),
      'Paid until 15 December. It doesn’t renew.',
    ],
    [
      subscription({ status: 'cancelled', nextPayment: null }),
      'Cancelled. You have full access until 15 December.',
    ],
    [
      subscription({ status: 'cancelled', paidThrough: NOW - 1, nextPayment: null }),
      'Cancelled. You have full access until 18 December.',
    ],
    [subscription({ status: 'late' }), 'Monthly. You have full access until 18 December.'],
    [
      subscription({ status: 'complimentary', plan: null, nextPayment: null }),
      'Complimentary access until 15 December.',
    ],
    [
      subscription({ status: 'late', hasAccess: false, problem }),
      'Premium is paused until your payment goes through.',
    ],
    [
      subscription({ status: 'ended', hasAccess: false, isHeld: true }),
      'Premium is paused while your bank decides about a payment.',
    ],
    [
      subscription({ status: 'ended', hasAccess: false, renews: false }),
      `Your subscription has ended. You’re hearing ${PREVIEW_TEXT}s.`,
    ],
    [subscription({ status: 'free', hasAccess: false }), `You’re hearing ${PREVIEW_TEXT}s.`],
  ])('$status is one sentence', (state, text) => expect(describeStatus(state, DATES)).toBe(text));
});

it('a change of plan says what is charged and when', () => {
  expect(
    describePlanChange({ plan: 'annual', amount: 790_00, currency: 'ZAR', at: DECEMBER }, DATES),
  ).toBe('Nothing to pay now. From 15 December you’ll pay R790 a year.');
});

describe('a gift', () => {
  it('names the giver and the period', () => {
    expect(describeGift(1, 'Thandi')).toMatch(/^Thandi has given you one month of Premium/);
    expect(describeGift(3, ' ')).toMatch(/^Someone has given you 3 months of Premium/);
  });

  it('says what is charged today, and how a running subscription waits for it', () => {
    const free = {
      status: 'free',
      hasAccess: false,
      paidThrough: null,
      nextPayment: null,
    } as const;
    expect(describeGiftCharges(subscription(free), DATES)).toBe(
      'Nothing is charged today. It starts at once.',
    );
    expect(describeGiftCharges(subscription({ nextPayment: null }), DATES)).toBe(
      'Nothing is charged today. It starts on 15 December, when the time you have ends.',
    );
    expect(describeGiftCharges(subscription({}), DATES)).toBe(
      'Nothing is charged today. The gift comes after the time you have. Your next payment of R79 moves from 15 December to the end of the gift.',
    );
  });

  it('says how long access lasts', () => {
    expect(describeRedeemedGift(subscription({ paidThrough: DECEMBER }), DATES)).toBe(
      'You have Premium until 15 December. Full access to all content.',
    );
  });
});

it('says from when a plan costs another price', () => {
  expect(describePriceChange(subscription({}), DATES)).toBeNull();
  const priceChange = { at: DECEMBER, amount: 99_00, oldAmount: 79_00 };
  expect(describePriceChange(subscription({ priceChange }), DATES)).toBe(
    'From 15 December your plan costs R99 instead of R79',
  );
});

describe('a failed payment', () => {
  const late = subscription({ status: 'late', problem, nextPayment: null });

  it('is dropped by cancelling, which ends the subscription now', () => {
    expect(describeCancelling(late)).toBe('Ends your subscription now. You won’t owe anything.');
    expect(describeCancellation(late, DATES)).toBe(
      'Your subscription ends now. We won’t charge anything more. You’ll keep access until 18 December.',
    );
  });
});

describe('a subscription without access that still renews', () => {
  const kept = subscription({ status: 'ended', hasAccess: false });

  it('says what would be charged and when', () => {
    expect(describeNextCharge(kept, DATES)).toBe(
      'You have no access now, but your card would still be charged R79 on 15 December. Cancel if you don’t want that.',
    );
    expect(describeStatus(kept, DATES)).toBe(
      'You have no access now, but your subscription still renews.',
    );
  });

  it('has nothing but charges to cancel', () => {
    expect(describeCancelling(kept)).toBe('You won’t be charged again.');
    expect(describeCancelled({ ...kept, renews: false }, DATES)).toBe(
      'You won’t be charged again.',
    );
  });
});

it('a dispute says that nothing is charged, and what happens to access', () => {
  expect(describeHold(subscription({ isHeld: true }))).toMatch(
    /Until then we charge nothing, and Premium goes on until/,
  );
  expect(describeHold(subscription({ isHeld: true, hasAccess: false }))).toMatch(
    /we charge nothing, and Premium is paused/,
  );
});

it('cancelling an active subscription keeps access until the end of the paid period', () => {
  expect(describeCancellation(subscription({}), DATES)).toContain('full access until 15 December');
  const cancelled = subscription({ status: 'cancelled', canResume: true, renews: false });
  expect(describeCancelled(cancelled, DATES)).toBe('You have full access until 15 December.');
});

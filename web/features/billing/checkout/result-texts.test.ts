import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Subscription } from '#contract/billing.ts';
import { boot } from '#web/lib/store/boot.ts';
import { describeAtBank, describeResult } from './result-texts.ts';

const siteZone = boot.timeZone;
beforeAll(() => void (boot.timeZone = 'Africa/Johannesburg'));
afterAll(() => void (boot.timeZone = siteZone));

const NOW = Date.parse('2026-11-15T10:00:00+02:00');
const DATES = { now: NOW };
const subscription = {
  hasAccess: true,
  currency: 'ZAR',
  paidThrough: Date.parse('2026-12-15T10:00:00+02:00'),
  card: { brand: 'Visa', last4: '4242', expiryMonth: 12, expiryYear: 2049 },
  renews: true,
  pending: null,
} as Subscription;
const pending = {
  reference: 'wk-1',
  kind: 'once' as const,
  plan: null,
  months: 3,
  amount: 237_00,
  at: NOW,
  isAtBank: true,
};

describe('a payment that the bank has', () => {
  it('says what was paid, that the page can be closed, and not to pay again', () => {
    const text = describeAtBank(pending, { currency: 'ZAR', hasAccess: false });
    expect(text).toMatch(
      /^You paid R237 for 3 months of Premium on Sun 15 Nov, 10:00\. Premium starts as soon as/,
    );
    expect(text).toContain('even if you close this page');
    expect(text).toContain('Please don’t pay again.');
  });

  it('adds time for someone who has access, and is about a gift for whoever gives one', () => {
    const access = { currency: 'ZAR', hasAccess: true } as const;
    expect(describeAtBank(pending, access)).toContain('Your time is added as soon as');
    expect(describeAtBank({ ...pending, kind: 'gift', months: 1 }, access)).toContain(
      'for 1 month of Premium on Sun 15 Nov, 10:00. Your gift is ready as soon as',
    );
    expect(describeAtBank({ ...pending, kind: 'renewal' }, access)).toContain('R237 on Sun');
  });
});

describe('back from the payment page', () => {
  const describeBack = (
    state: Parameters<typeof describeResult>[0],
    done: string | null = null,
  ): string | undefined => describeResult(state, { done, subscription }, DATES)?.title;

  it('says what happened', () => {
    expect(describeResult('paid', { done: 'renewal', subscription }, DATES)).toEqual({
      tone: 'success',
      title: 'Paid, thank you',
      text: 'You have Premium until 15 December.',
    });
    expect(describeResult('paid', { done: 'card-check', subscription }, DATES)).toMatchObject({
      title: 'Your card is updated',
      text: 'From now on we charge your Visa ending in 4242, expires 12/49.',
    });
    expect(describeBack('pending')).toBe('Your bank says it’s on its way');
    expect(describeBack('failed')).toBe('Payment not completed');
    expect(describeBack('failed', 'card-check')).toBe('Your card wasn’t changed');
    expect(describeBack('refused')).toBe('We’re refunding this payment');
    expect(describeBack('open')).toBe('You have a payment in progress');
  });

  it('says nothing where the page shows what was bought, or once it was cancelled', () => {
    const cancelled = { ...subscription, renews: false };
    expect(describeResult('paid', { done: 'renewal', subscription: cancelled }, DATES)).toBeNull();
    expect(describeBack('paid')).toBeUndefined();
  });

  it('never claims that nothing was charged', () => {
    for (const state of ['pending', 'failed', 'refused', 'open'] as const)
      expect(describeResult(state, { done: null, subscription }, DATES)?.text).not.toMatch(
        /haven’t been charged/,
      );
  });
});

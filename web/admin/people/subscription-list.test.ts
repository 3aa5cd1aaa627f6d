import { expect, it } from 'vitest';
import type { SubscriptionItem } from '#contract/admin/subscribers.ts';
import { describeSubscription } from './subscription-list.tsx';

const item: SubscriptionItem = {
  id: 's',
  provider: 'paystack',
  plan: 'monthly',
  status: 'active',
  nextPayment: { at: Date.UTC(2026, 11, 15, 10), amount: 79_00 },
  failure: null,
  lateSince: null,
  isHeld: false,
  startedAt: Date.UTC(2026, 8, 15, 10),
  endedAt: null,
  canEnd: true,
};

it('says since when a subscription runs, and what it charges next', () => {
  expect(describeSubscription(item)).toBe(
    'since 15 Sep 2026, next charge R79 on 15 Dec 2026, paystack.',
  );
});

it('says what is owed and why, and that a dispute holds it', () => {
  const lateSince = Date.UTC(2026, 11, 15, 10);
  const failure = 'Your bank declined the payment.';
  expect(describeSubscription({ ...item, status: 'late', lateSince, failure, isHeld: true })).toBe(
    'since 15 Sep 2026, R79 owed since 15 Dec 2026, paystack. Your bank declined the payment. Nothing is charged until the dispute is decided.',
  );
});

it('says how long one lasted that has ended', () => {
  const endedAt = Date.UTC(2026, 10, 1, 10);
  expect(describeSubscription({ ...item, status: 'ended', nextPayment: null, endedAt })).toBe(
    '15 Sep 2026 to 1 Nov 2026, paystack.',
  );
});

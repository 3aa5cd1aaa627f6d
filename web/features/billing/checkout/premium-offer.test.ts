import { describe, expect, it } from 'vitest';
import type { Subscription } from '#contract/billing.ts';
import { ApiError } from '#web/lib/api/api.ts';
import { describeCheckoutFailure } from './checkout-failure.ts';
import { findOffer } from './premium-offer.ts';

const having = (status: Subscription['status'], canResume = false) =>
  ({ status, canResume, hasAccess: true, problem: null }) as Subscription;
const user = { isSubscriber: false };

describe('the Premium button', () => {
  it.each([
    ['free', 'checkout'],
    ['ended', 'checkout'],
    ['complimentary', 'checkout'],
    ['active', 'current'],
    ['trial', 'current'],
    ['late', 'current'],
    ['needs_member', 'current'],
    ['paid-once', 'checkout'],
    ['cancelled', 'checkout'],
  ] as const)('for a subscription that is %s: %s', (status, offer) =>
    expect(findOffer(user, having(status))).toBe(offer),
  );

  it('offers to resume a cancelled subscription', () => {
    expect(findOffer(user, having('cancelled', true))).toBe('resume');
  });

  it('leads to what is owed while a payment is overdue, even after access has ended', () => {
    const problem = {
      since: 0,
      until: 1,
      message: 'The bank declined the payment.',
      amount: 79_00,
      retryAt: null,
      needsMember: false,
    };
    for (const status of ['late', 'ended'] as const)
      expect(findOffer(user, { ...having(status), problem })).toBe('pay');
  });

  it('sells nothing while something still renews, even without access', () => {
    const kept = { ...having('ended'), hasAccess: false, renews: true };
    expect(findOffer(user, kept)).toBe('current');
  });

  it('waits for the subscription only if the user has access', () => {
    expect(findOffer({ isSubscriber: true }, undefined)).toBe('unknown');
    expect(findOffer(user, undefined)).toBe('checkout');
  });
});

describe('a checkout that could not start', () => {
  const refuse = (status: number, code: string, message = 'A message from the server.') =>
    describeCheckoutFailure(new ApiError(status, JSON.stringify({ code, message })));

  it.each([
    [409, 'already_subscribed', 'subscription'],
    [401, 'unauthenticated', 'login'],
    [503, 'provider_unavailable', undefined],
    [429, 'rate_limited', undefined],
  ])('explains %i %s and links to a way out', (status, code, link) => {
    const failure = refuse(status, code);
    expect(failure.link).toBe(link);
    expect(failure.title).not.toBe('Couldn’t start the payment');
  });

  it('shows the server message, and claims nothing about charges', () => {
    expect(refuse(422, 'coupon_invalid').text).toBe('A message from the server.');
    expect(refuse(503, 'provider_unavailable').text).not.toMatch(/charged/);
    expect(describeCheckoutFailure(new TypeError('Failed to fetch')).text).toMatch(/connection/);
  });
});

import { describe, expect, it } from 'vitest';
import type { Subscription } from '#contract/billing.ts';
import { ApiError } from '#web/lib/api.ts';
import { describeCheckoutFailure } from './checkout-failure.ts';
import { findOffer } from './offer.ts';

const having = (status: Subscription['status'], canResume = false) =>
  ({ status, canResume, hasAccess: true, problem: null }) as Subscription;
const member = { isSubscriber: false };

describe('the Premium button', () => {
  it.each([
    ['free', 'checkout'],
    ['ended', 'checkout'],
    ['complimentary', 'checkout'],
    ['active', 'current'],
    ['trial', 'current'],
    ['late', 'current'],
    ['cancelled', 'checkout'],
  ] as const)('of somebody whose subscription is %s: %s', (status, offer) =>
    expect(findOffer(member, having(status))).toBe(offer),
  );

  it('offers to resume what can be resumed', () => {
    expect(findOffer(member, having('cancelled', true))).toBe('resume');
  });

  it('leads to the card while a payment is missing, also when the access is over', () => {
    const problem = { since: 0, message: 'The bank declined the payment.' };
    for (const status of ['late', 'ended'] as const)
      expect(findOffer(member, { ...having(status), problem })).toBe('repair');
  });

  it('waits for the answer only where it could be wrong', () => {
    expect(findOffer({ isSubscriber: true }, undefined)).toBe('unknown');
    expect(findOffer(member, undefined)).toBe('checkout');
  });
});

describe('a checkout that could not begin', () => {
  const refuse = (status: number, code: string, message = 'In the words of the server.') =>
    describeCheckoutFailure(new ApiError(status, JSON.stringify({ code, message })));

  it.each([
    [409, 'already_subscribed', 'subscription'],
    [401, 'unauthenticated', 'login'],
    [503, 'provider_unavailable', undefined],
    [429, 'rate_limited', undefined],
  ])('with %i %s says so and leads on', (status, code, way) => {
    const failure = refuse(status, code);
    expect(failure.way).toBe(way);
    expect(failure.title).not.toBe('The payment could not begin');
  });

  it('says what the server says, and that nothing was charged', () => {
    expect(refuse(422, 'coupon_invalid').text).toBe(
      'In the words of the server. Nothing was charged.',
    );
    expect(describeCheckoutFailure(new TypeError('Failed to fetch')).text).toMatch(/connection/);
  });
});

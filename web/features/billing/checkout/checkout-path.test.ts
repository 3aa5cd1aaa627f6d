import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkoutPath, findCheckout, parseCheckout, type CheckoutIntent } from './checkout-path.ts';

const intents: fc.Arbitrary<CheckoutIntent> = fc.record({
  plan: fc.constantFrom('monthly', 'annual'),
  coupon: fc.option(fc.string({ minLength: 1, unit: 'binary' })),
  isStarted: fc.boolean(),
});

describe('the address of a checkout', () => {
  it('keeps plan and code, whatever the code', () => {
    fc.assert(
      fc.property(intents, (intent) => {
        const url = new URL(checkoutPath(intent), 'https://site.invalid');
        expect(url.pathname).toBe('/pricing');
        expect(parseCheckout(url.search)).toEqual(intent);
      }),
    );
  });

  it('starts no checkout for a plan that does not exist', () => {
    const monthly = { plan: 'monthly', coupon: null, isStarted: false };
    expect(parseCheckout('?plan=weekly&checkout=start')).toEqual(monthly);
    expect(parseCheckout('?checkout=start')).toEqual(monthly);
    expect(parseCheckout('')).toEqual(monthly);
  });

  it('is recognised in the path after a login, and no other path is', () => {
    expect(findCheckout('/pricing?plan=annual&code=SUMMER&checkout=start')).toEqual({
      plan: 'annual',
      coupon: 'SUMMER',
      isStarted: true,
    });
    expect(findCheckout('/pricing?plan=annual')).toBeNull();
    expect(findCheckout('/library?plan=annual&checkout=start')).toBeNull();
    expect(findCheckout('/')).toBeNull();
  });
});

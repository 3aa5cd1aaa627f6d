import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readNext, withNext } from '#web/lib/location/next-path.ts';
import { checkoutPath, findCheckout, parseCheckout, type CheckoutIntent } from './checkout-path.ts';

const intents: fc.Arbitrary<CheckoutIntent> = fc.record({
  plan: fc.constantFrom('monthly', 'annual'),
  coupon: fc.option(fc.string({ minLength: 1, unit: 'binary' })),
  isStarted: fc.boolean(),
  next: fc.constantFrom(null, '/track/a?t=754', '/shared/x?a=%26next%3D%2F', '/artist/%3Fq'),
});

describe('the address of a checkout', () => {
  it('keeps plan, code and page, whatever the code, also while somebody registers', () => {
    fc.assert(
      fc.property(intents, (intent) => {
        const url = new URL(checkoutPath(intent), 'https://site.invalid');
        expect(url.pathname).toBe('/pricing');
        expect(parseCheckout(url.search)).toEqual(intent);
        const registering = new URL(withNext('/register', checkoutPath(intent)), url);
        const found = findCheckout(readNext(registering.search));
        expect(found).toEqual(intent.isStarted ? intent : null);
      }),
    );
  });

  it('starts no checkout for a plan that does not exist', () => {
    const monthly = { plan: 'monthly', coupon: null, isStarted: false, next: null };
    expect(parseCheckout('?plan=weekly&checkout=start')).toEqual(monthly);
    expect(parseCheckout('?checkout=start')).toEqual(monthly);
    expect(parseCheckout('')).toEqual(monthly);
  });

  it('leads to no other site', () => {
    for (const next of ['https://evil.example/', '//evil.example', '/\\evil.example', 'track/a'])
      expect(parseCheckout(`?plan=annual&next=${encodeURIComponent(next)}`).next).toBeNull();
  });

  it('is recognised in the path after a login, and no other path is', () => {
    expect(findCheckout('/pricing?plan=annual&code=SUMMER&checkout=start')).toEqual({
      plan: 'annual',
      coupon: 'SUMMER',
      isStarted: true,
      next: null,
    });
    expect(findCheckout('/pricing?plan=annual')).toBeNull();
    expect(findCheckout('/library?plan=annual&checkout=start')).toBeNull();
    expect(findCheckout('/')).toBeNull();
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  checkoutPath,
  findCheckout,
  parseCheckout,
  type CheckoutIntent,
  keepCheckout,
} from './checkout-path.ts';

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

it('keeps the plan and the code in the address of the offer for coming back to it', () => {
  const keep = (pathname: string, search: string, coupon: string | null) =>
    keepCheckout({ pathname, search }, { plan: 'annual', coupon });
  expect(keep('/pricing', '', 'SUMMER-25')).toBe('/pricing?plan=annual&code=SUMMER-25');
  expect(keep('/subscription', '?plan=monthly&code=OLD', null)).toBe('/subscription?plan=annual');
  // It doesn't start again by itself.
  expect(keep('/pricing', '?plan=annual&checkout=start&reference=wk-1', null)).toBe(
    '/pricing?plan=annual&reference=wk-1',
  );
  expect(keep('/track/1', '', 'SUMMER-25')).toBeNull();
});

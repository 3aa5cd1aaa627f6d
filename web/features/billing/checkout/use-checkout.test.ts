import { expect, it } from 'vitest';
import { keepCheckout } from './use-checkout.ts';

it('keeps the plan and the code in the address of the offer for coming back to it', () => {
  const keep = (pathname: string, search: string, coupon: string | null) =>
    keepCheckout({ pathname, search }, { plan: 'annual', coupon });
  expect(keep('/pricing', '', 'SUMMER-25')).toBe('/pricing?plan=annual&code=SUMMER-25');
  expect(keep('/subscription', '?plan=monthly&code=OLD', null)).toBe('/subscription?plan=annual');
  // It doesn't start again by itself.
  expect(keep('/pricing', '?plan=annual&checkout=start&reference=wk-1', null)).toBe(
    '/pricing?plan=annual&reference=wk-1',
  );
  expect(keep('/pricing', '?plan=annual&next=%2Ftrack%2Fa&checkout=start', null)).toBe(
    '/pricing?plan=annual&next=%2Ftrack%2Fa',
  );
  expect(keep('/track/1', '', 'SUMMER-25')).toBeNull();
});

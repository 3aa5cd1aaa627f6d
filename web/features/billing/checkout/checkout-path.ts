import type { Plan } from '#contract/rules/plans.ts';

/** What someone wants to buy; logging in or registering on the way doesn't change it. */
export type CheckoutIntent = {
  plan: Plan;
  coupon: string | null;
  /** Goes on to the payment page without another click. */
  isStarted: boolean;
};

/** The pricing page that continues this checkout. */
export function checkoutPath({ plan, coupon, isStarted }: CheckoutIntent): string {
  const query = new URLSearchParams({ plan });
  if (coupon) query.set('code', coupon);
  if (isStarted) query.set('checkout', 'start');
  return `/pricing?${query}`;
}

/** An unknown plan becomes monthly, and waits for a click. */
export function parseCheckout(search: string): CheckoutIntent {
  const query = new URLSearchParams(search);
  const plan = query.get('plan');
  return {
    plan: plan === 'annual' ? 'annual' : 'monthly',
    coupon: query.get('code'),
    isStarted: query.get('checkout') === 'start' && (plan === 'annual' || plan === 'monthly'),
  };
}

/** The checkout that a path continues after logging in or registering; null if there is none. */
export function findCheckout(path: string): CheckoutIntent | null {
  const [pathname, search] = path.split('?', 2);
  if (pathname !== '/pricing') return null;
  const intent = parseCheckout(search ?? '');
  return intent.isStarted ? intent : null;
}

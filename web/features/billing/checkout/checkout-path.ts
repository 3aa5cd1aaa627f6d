import type { Plan } from '#contract/rules/plans.ts';
import { readNext } from '#web/lib/location/next-path.ts';

/** What someone wants to buy; logging in or registering on the way doesn't change it. */
export type CheckoutIntent = {
  plan: Plan;
  coupon: string | null;
  /** Goes on to the payment page without another click. */
  isStarted: boolean;
  /** The page of this site that Premium was wanted for; null if it was none. */
  next?: string | null;
};

/** The pricing page that continues this checkout. */
export function checkoutPath({ plan, coupon, isStarted, next }: CheckoutIntent): string {
  const query = new URLSearchParams({ plan });
  if (coupon) query.set('code', coupon);
  if (isStarted) query.set('checkout', 'start');
  if (next && next !== '/') query.set('next', next);
  return `/pricing?${query}`;
}

/** An unknown plan becomes monthly, and waits for a click. */
export function parseCheckout(search: string): Required<CheckoutIntent> {
  const next = readNext(search);
  const query = new URLSearchParams(search);
  const plan = query.get('plan');
  return {
    plan: plan === 'annual' ? 'annual' : 'monthly',
    coupon: query.get('code'),
    isStarted: query.get('checkout') === 'start' && (plan === 'annual' || plan === 'monthly'),
    next: next === '/' ? null : next,
  };
}

/** The checkout that a path continues after logging in or registering; null if there is none. */
export function findCheckout(path: string): Required<CheckoutIntent> | null {
  const [pathname, search] = path.split('?', 2);
  if (pathname !== '/pricing') return null;
  const intent = parseCheckout(search ?? '');
  return intent.isStarted ? intent : null;
}

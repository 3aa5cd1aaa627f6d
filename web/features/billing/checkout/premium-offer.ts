import type { Subscription } from '#contract/billing.ts';

/** What the Premium button does; `unknown` while the subscription is loading. */
export type Offer = 'checkout' | 'current' | 'resume' | 'pay' | 'unknown';

/** Without a subscription to go by, subscribers have to wait and everyone else may buy. */
export function findOffer(
  user: { isSubscriber: boolean },
  subscription: Subscription | null | undefined,
): Offer {
  if (!subscription) return user.isSubscriber ? 'unknown' : 'checkout';
  // It is paid or cancelled first: a second subscription would be charged as well.
  if (subscription.problem) return 'pay';
  if (!subscription.hasAccess && subscription.renews) return 'current';
  switch (subscription.status) {
    case 'trial':
    case 'active':
    case 'late':
    case 'needs_member':
      return 'current';
    case 'cancelled':
      return subscription.canResume ? 'resume' : 'checkout';
    case 'complimentary':
    case 'paid-once':
    case 'ended':
    case 'free':
      return 'checkout';
  }
}

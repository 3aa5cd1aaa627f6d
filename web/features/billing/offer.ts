import type { Subscription } from '#contract/billing.ts';

/** What the Premium button does for this member; `unknown` while it is being asked. */
export type Offer = 'checkout' | 'current' | 'resume' | 'repair' | 'unknown';

type Viewer = { isSubscriber: boolean };

/** Where nothing is known of the subscription, who hears everything has it and others may buy it. */
export function findOffer(viewer: Viewer, subscription: Subscription | undefined): Offer {
  if (!subscription) return viewer.isSubscriber ? 'unknown' : 'checkout';
  // The provider still tries: a second subscription beside this one would be charged as well.
  if (subscription.problem) return 'repair';
  switch (subscription.status) {
    case 'trial':
    case 'active':
    case 'late':
      return 'current';
    case 'cancelled':
      return subscription.canResume ? 'resume' : 'checkout';
    case 'complimentary':
    case 'ended':
    case 'free':
      return 'checkout';
  }
}

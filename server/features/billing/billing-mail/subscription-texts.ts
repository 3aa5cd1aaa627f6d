import { formatDate, formatMoney } from '#contract/rules/format.ts';
import { CURRENCY } from '#contract/rules/plans.ts';
import { toSubscription, type MessageTexts } from './billing-message.ts';

/** About a subscription: how it starts, what comes next, how it ends. */
export const subscriptionTexts: MessageTexts<
  'welcome' | 'reminder' | 'cancelled' | 'card-not-kept'
> = {
  welcome: ({ plan }, { siteName }) => ({
    subject: `Welcome to ${siteName} Premium`,
    lines: [
      'Every mix is yours, from first second to last: in full, in the best quality, to download and play offline.',
      `You’re on the ${plan} plan. It renews automatically and you can cancel any time.`,
    ],
    link: { label: 'Listen now', path: '/' },
  }),
  reminder: ({ at, amount }, { siteName, timeZone }) => ({
    subject: `Your year of ${siteName} Premium renews on ${formatDate(at, timeZone)}`,
    lines: [
      `On ${formatDate(at, timeZone)} we’ll charge your card ${formatMoney(amount, CURRENCY)} for another year of Premium.`,
      'No action needed. If you don’t want to renew, cancel before then.',
    ],
    link: toSubscription,
  }),
  'card-not-kept': ({ until }, { siteName, timeZone }) => ({
    subject: `Your card for ${siteName} can’t be charged again`,
    lines: [
      `Your payment arrived and you have Premium until ${formatDate(until, timeZone)}, but your bank doesn’t let us charge this card again.`,
      'To continue after that, add another card on your subscription page. Otherwise nothing is charged.',
    ],
    link: toSubscription,
  }),
  cancelled: ({ until }, { siteName, timeZone }) => ({
    subject: `Your ${siteName} subscription is cancelled`,
    lines: [
      until === null
        ? 'Your subscription has ended and you won’t be charged again.'
        : 'Your subscription won’t renew and you won’t be charged again.',
      until === null
        ? 'You can come back any time.'
        : `You have Premium until ${formatDate(until, timeZone)}. Changed your mind? Resume with one click.`,
    ],
    link: toSubscription,
  }),
};

import { formatDate, formatMoney } from '#contract/rules/format.ts';
import { CURRENCY } from '#contract/rules/plans.ts';
import { toSubscription, type MessageTexts } from './billing-message.ts';

const periods = { monthly: 'month', annual: 'year' };

/** About what a subscription will cost, and about trials. */
export const priceTexts: MessageTexts<
  'price-change' | 'price-change-cancelled' | 'trial-card-used'
> = {
  'price-change': ({ plan, oldAmount, amount, at }, { siteName, timeZone }) => {
    const [before, after] = [oldAmount, amount].map((cents) => formatMoney(cents, CURRENCY));
    const day = formatDate(at, timeZone);
    const isHigher = amount > oldAmount;
    return {
      subject: `The price of your ${siteName} Premium changes on ${day}`,
      lines: [
        `From ${day} your ${plan} plan costs ${after} instead of ${before} a ${periods[plan]}. Every payment before then stays as it is.`,
        isHigher
          ? `If you’re happy with that, there’s nothing to do. If not, cancel before ${day}: you keep Premium until the end of the time you’ve paid for, and you won’t be charged ${after}.`
          : 'There’s nothing to do.',
      ],
      link: {
        label: isHigher ? 'See or cancel your subscription' : 'Your subscription',
        path: '/subscription',
      },
    };
  },
  'price-change-cancelled': ({ plan, amount }, { siteName }) => ({
    subject: `The price of your ${siteName} Premium stays the same`,
    lines: [
      `We told you that the price of your ${plan} plan would change. It won’t: it stays ${formatMoney(amount, CURRENCY)} a ${periods[plan]}.`,
      'There’s nothing to do.',
    ],
    link: toSubscription,
  }),
  'trial-card-used': (_message, { siteName }) => ({
    subject: `Your free trial of ${siteName} Premium didn’t start`,
    lines: [
      'The card you used has already had a free trial, and there’s one for each card. So we cancelled the trial, and you won’t be charged. If your bank shows a small payment that checked the card, it was given back.',
      'You can subscribe without a trial any time, with the same card or another one.',
    ],
    link: { label: 'See the plans', path: '/pricing' },
  }),
};

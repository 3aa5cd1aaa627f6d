import { formatMoney } from '#contract/rules/format.ts';
import { toSubscription, type MessageTexts } from './billing-message.ts';

const TAKES_DAYS = 'Your bank may take a few days to show the refund.';

const explainRefusal = ({
  isCouponSpent,
  isRenewal,
}: {
  isCouponSpent: boolean;
  isRenewal: boolean;
}): string => {
  if (isCouponSpent) return ' with a code that had already been used';
  return isRenewal ? ', which you didn’t agree to' : ', which wasn’t the amount you agreed to';
};

/** About payments that went wrong, and what we do about them. */
export const issueTexts: MessageTexts<'refused' | 'other-amount' | 'unfinished'> = {
  refused: ({ amount, currency, ...why }, { siteName }) => ({
    subject: `Refund of your ${siteName} payment`,
    lines: [
      `We charged ${formatMoney(amount, currency)}${explainRefusal(why)}. We’re refunding it in full.`,
      why.isRenewal
        ? `${TAKES_DAYS} We’re finding out how it happened; you don’t need to do anything.`
        : `We’ve cancelled that subscription. ${TAKES_DAYS} You can subscribe again any time.`,
    ],
    link: toSubscription,
  }),
  'other-amount': ({ amount, agreed, currency }, { siteName }) => {
    const instead = `We charged you ${formatMoney(amount, currency)} instead of ${formatMoney(agreed, currency)}`;
    if (amount < agreed)
      return {
        subject: `Your ${siteName} payment: ${formatMoney(amount, currency)} instead of ${formatMoney(agreed, currency)}`,
        lines: [
          `${instead}. Your Premium access continues as usual, and you don’t owe us the difference.`,
          `The next payment may be ${formatMoney(agreed, currency)} again, as you agreed.`,
        ],
        link: toSubscription,
      };
    const back = formatMoney(amount - agreed, currency);
    return {
      subject: `Refund of your ${siteName} payment: ${back}`,
      lines: [
        `${instead}; we’ve refunded ${back}.`,
        `${TAKES_DAYS} Your Premium access continues as usual.`,
      ],
      link: toSubscription,
    };
  },
  unfinished: ({ amount, currency }, { siteName }) => ({
    subject: `Refund of your ${siteName} payment: ${formatMoney(amount, currency)}`,
    lines: [
      `We received ${formatMoney(amount, currency)}, but couldn’t set up your subscription: your bank doesn’t let us charge this card again.`,
      `We’re refunding it in full, and your Premium access ends. ${TAKES_DAYS} You can subscribe again with another card.`,
    ],
    link: toSubscription,
  }),
};

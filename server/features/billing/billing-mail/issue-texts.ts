import { formatMoney } from '#contract/rules/format.ts';
import { toSubscription, type BillingMessage, type MessageTexts } from './billing-message.ts';

type Why = Extract<BillingMessage, { kind: 'refused' }>['why'];

const TAKES_DAYS = 'Your bank may take a few days to show the refund.';

const EXPLAINED: Record<Why, string> = {
  amount: 'That wasn’t the amount you agreed to',
  coupon: 'The code had already been used',
  card: 'The card has already had a free trial',
  second: 'You had already paid, perhaps in another tab or with your saved card',
  cancelled: 'You had cancelled before the payment arrived',
};

/** About payments that arrived and go back. */
export const issueTexts: MessageTexts<'refused'> = {
  refused: ({ amount, currency, why }, { siteName }) => ({
    subject: `Refund of your ${siteName} payment: ${formatMoney(amount, currency)}`,
    lines: [
      `We received ${formatMoney(amount, currency)} and are refunding all of it. ${EXPLAINED[why]}.`,
      `${TAKES_DAYS} You don’t need to do anything.`,
    ],
    link: toSubscription,
  }),
};

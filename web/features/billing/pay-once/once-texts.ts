import type { BoughtGift } from '#contract/paying/pay-once.ts';
import { isOnceMonths, type OnceMonths } from '#contract/rules/plans.ts';
import { formatCount, formatDate } from '#web/lib/format/format.ts';

export const formatMonths = (months: number): string => formatCount(months, 'month');

/** A link in a mail starts the payment (`pay`); the way back from its page only marks the choice. */
export function parseOnce(search: string): { months: OnceMonths; isStarted: boolean } | null {
  const query = new URLSearchParams(search);
  const months = Number(query.get('pay') ?? query.get('once'));
  return isOnceMonths(months) ? { months, isStarted: query.has('pay') } : null;
}

/** Where the gift is: with the buyer, waiting for its day, sent or claimed. */
export function describeDelivery({ recipient, isRedeemed }: BoughtGift): string {
  if (isRedeemed) return 'It has been claimed.';
  if (!recipient) return 'Give them the link, or print the card.';
  const { email, day, sentAt } = recipient;
  return sentAt === null
    ? `We’ll send it to ${email} on the morning of ${formatDate(day)}.`
    : `We sent it to ${email} on ${formatDate(sentAt)}.`;
}

/** What the page of a gift says while there is no link. */
export const giftStates: Record<
  Exclude<BoughtGift['state'], 'paid'>,
  { title: string; text: string }
> = {
  open: {
    title: 'Waiting for your payment',
    text: 'If you’ve paid, this page changes within a minute. If you left the payment page, start again.',
  },
  pending: {
    title: 'Your bank says it’s on its way',
    text: 'That can take minutes or hours. You can close this page: we’ll e-mail you as soon as the gift is ready.',
  },
  failed: {
    title: 'The payment didn’t go through',
    text: 'It was declined or cancelled, so there is no gift yet. Try again, in another way if you like.',
  },
  returned: {
    title: 'Your payment goes back',
    text: 'We couldn’t use it for this gift. All of it goes back to you; your bank may take up to ten working days to show it.',
  },
  void: {
    title: 'This gift was refunded',
    text: 'Its link no longer works.',
  },
};

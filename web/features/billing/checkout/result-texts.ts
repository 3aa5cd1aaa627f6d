import type { Subscription } from '#contract/billing.ts';
import { formatMoney } from '#contract/rules/format.ts';
import { formatDayAndTime } from '#web/lib/format/format.ts';
import { describeCard } from '#web/features/billing/documents/document-texts.ts';
import { planNames } from '#web/features/billing/plans/plan-texts.ts';
import { formatNearDay, type DateContext } from '#web/features/billing/subscription-texts.ts';

export const AT_BANK_TITLE = 'Your bank says it’s on its way';
export const REFUSED_TITLE = 'We’re refunding this payment';
export const REFUSED_TEXT =
  'You had already paid, the amount didn’t match your order, the code had already been used, or the card has already had a free trial. We’re refunding it in full; your bank may take a few days to show it.';

type Pending = NonNullable<Subscription['pending']>;

const describeBought = ({ plan, months, kind }: Pending): string => {
  if (kind === 'renewal') return '';
  if (plan) return ` for Premium (${planNames[plan].toLowerCase()})`;
  return months ? ` for ${months} ${months === 1 ? 'month' : 'months'} of Premium` : '';
};

/** What a member who comes back hours later needs to know. */
export function describeAtBank(
  pending: Subscription['pending'] | undefined,
  { currency, hasAccess }: Pick<Subscription, 'currency' | 'hasAccess'>,
): string {
  const what = pending
    ? `You paid ${formatMoney(pending.amount, currency)}${describeBought(pending)} on ${formatDayAndTime(pending.at)}. `
    : '';
  const then =
    pending?.kind === 'gift'
      ? 'Your gift is ready'
      : hasAccess
        ? 'Your time is added'
        : 'Premium starts';
  return `${what}${then} as soon as the money arrives, even if you close this page, and we’ll e-mail you. That can take a few hours. Please don’t pay again.`;
}

type Result = { tone: 'success' | 'warning'; title: string; text: string };

type Context = {
  /** What the page was for, from the address that it leads back to. */
  done: string | null;
  subscription: Subscription | null | undefined;
};

function describePaid({ done, subscription }: Context, dates: DateContext): Result | null {
  const { card, paidThrough, hasAccess, renews = true } = subscription ?? {};
  // Cancelled since then.
  if (!renews) return null;
  if (done === 'card-check')
    return {
      tone: 'success',
      title: 'Your card is updated',
      text: card
        ? `From now on we charge your ${describeCard(card)}.`
        : 'We charge it from now on.',
    };
  // Other pages show what was bought by themselves.
  if (done !== 'renewal') return null;
  const until =
    hasAccess && paidThrough ? `You have Premium until ${formatNearDay(paidThrough, dates)}.` : '';
  return { tone: 'success', title: 'Paid, thank you', text: until };
}

/** What happened to a payment; null if the page shows that anyway. */
export function describeResult(
  state: 'open' | 'pending' | 'paid' | 'failed' | 'refused',
  context: Context,
  dates: DateContext,
): Result | null {
  switch (state) {
    case 'paid':
      return describePaid(context, dates);
    case 'pending': {
      const { subscription } = context;
      const access = subscription ?? { currency: 'ZAR', hasAccess: false };
      return {
        tone: 'success',
        title: AT_BANK_TITLE,
        text: describeAtBank(subscription?.pending, access),
      };
    }
    case 'failed':
      if (context.done === 'card-check')
        return {
          tone: 'warning',
          title: 'Your card wasn’t changed',
          text: 'The new one was declined, or you left the page. We keep the one we have.',
        };
      return {
        tone: 'warning',
        title: 'Payment not completed',
        text: 'It was declined or cancelled. Try again, or use another card.',
      };
    case 'refused':
      return { tone: 'warning', title: REFUSED_TITLE, text: REFUSED_TEXT };
    case 'open':
      return { tone: 'warning', title: 'You have a payment in progress', text: '' };
  }
}

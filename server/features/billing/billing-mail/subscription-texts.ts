import type { FileKind } from '#contract/rules/file-ends.ts';
import { formatDate, formatMoney } from '#contract/rules/format.ts';
import { CURRENCY, type Plan } from '#contract/rules/plans.ts';
import { toSubscription, type Site, type Texts } from './message-text.ts';

const toCard = { label: 'Update your card', path: '/subscription' };

const periods = { monthly: 'month', annual: 'year' } as const;

/** `2027-03` as `March 2027`. */
const formatMonth = (month: string): string =>
  new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    Date.parse(`${month}-01T00:00:00Z`),
  );

/** The next payment. */
type Coming = { at: number; amount: number; plan: Plan };
type Expiry = { card: string; expiry: string; isExpired: boolean; at: number };

/** One kind of file, and when it ends; null if it no longer does. */
export type FileChange = { kind: FileKind; at: number | null; wasOff: boolean };
type FilesChange = { now: number; changes: readonly FileChange[] };

const fileNames: Record<FileKind, [plural: string, rest: string]> = {
  mp3: ['Downloads', 'What you’ve downloaded by then stays with you.'],
  flac: ['Lossless downloads', 'Downloads as MP3 stay.'],
  saving: ['Offline copies', 'Mixes that are saved in the app are removed from your devices then.'],
};

/** `Downloads end on 1 March 2027`, and the rest of it. */
function describeFileChange(
  { kind, at, wasOff }: FileChange,
  now: number,
  timeZone: string,
): [head: string, rest: string] {
  const [name, rest] = fileNames[kind];
  if (at === null)
    return [
      wasOff ? `${name} are back` : `${name} stay`,
      wasOff ? '.' : ': we told you that they would end, and they won’t.',
    ];
  if (at > now && wasOff)
    return [`${name} are back`, ` until ${formatDate(at, timeZone)}. ${rest}`];
  if (at > now) return [`${name} end on ${formatDate(at, timeZone)}`, `. ${rest}`];
  return [`${name} have ended`, `. ${rest.replaceAll(' by then', '').replace(' then.', '.')}`];
}

/** About a subscription: how it starts, what it will cost, what ends soon. */
export const subscriptionTexts = {
  /** After what the operator wrote. */
  welcome: ({ plan }: { plan: Plan }, { siteName }: Site) => ({
    subject: `Welcome to ${siteName} Premium`,
    lines: [`You’re on the ${plan} plan. It renews automatically and you can cancel any time.`],
    link: { label: 'Listen now', path: '/' },
  }),
  reminder: ({ at, amount }: { at: number; amount: number }, { siteName, timeZone }: Site) => ({
    subject: `Your year of ${siteName} Premium renews on ${formatDate(at, timeZone)}`,
    lines: [
      `On ${formatDate(at, timeZone)} we’ll charge your card ${formatMoney(amount, CURRENCY)} for another year of Premium.`,
      'Nothing to do if you’re staying. To stop, cancel before then: two clicks, and you keep Premium to the end.',
    ],
    link: toSubscription,
  }),
  /** The bank lets nobody charge the card again. */
  'card-not-kept': ({ until }: { until: number }, { siteName, timeZone }: Site) => ({
    subject: `Your card for ${siteName} can’t be charged again`,
    lines: [
      `Your payment arrived and you have Premium until ${formatDate(until, timeZone)}, but your bank doesn’t let us charge this card again.`,
      'To continue after that, add another card on your subscription page. Otherwise nothing is charged.',
    ],
    link: toSubscription,
  }),
  /** The provider charged it itself until now. */
  'came-over': ({ at, amount, plan }: Coming, { siteName, timeZone }: Site) => ({
    subject: `Your subscription to ${siteName} has moved`,
    lines: [
      `From now on ${siteName} charges your card itself. Your ${plan} plan, its price and your card stay the same, and you were not charged for this.`,
      `The next payment is ${formatMoney(amount, CURRENCY)} on ${formatDate(at, timeZone)}. If the payment provider tells you that your old subscription has ended, that is why.`,
      'You can see and cancel it on your subscription page.',
    ],
    link: toSubscription,
  }),
  cancelled: ({ until }: { until: number | null }, { siteName, timeZone }: Site) => ({
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
  /** What is charged then, for another year or a month. */
  'year-ending': ({ at, amount, plan }: Coming, { siteName, timeZone }: Site) => {
    const day = formatDate(at, timeZone);
    const money = formatMoney(amount, CURRENCY);
    return {
      subject: `Your year of ${siteName} Premium ends on ${day}`,
      lines:
        plan === 'annual'
          ? [
              `Your year renews on ${day} for ${money}. Nothing to do if you’re staying.`,
              'To stop, cancel on your subscription page before then: two clicks, and you keep Premium to the end of the year you paid for. You can also change to the monthly plan there.',
            ]
          : [
              `Your year ends on ${day}. Then Premium continues month by month: ${money} a month, first charged on ${day}.`,
              'If you’d rather have another year, choose “Renew for another year” on your subscription page before then.',
              'To stop, cancel there any time: two clicks, and you keep Premium to the end of the period you paid for.',
            ],
      link: toSubscription,
    };
  },
  'trial-ending': ({ at, amount, plan }: Coming, { siteName, timeZone }: Site) => ({
    subject: `Your free time with ${siteName} Premium ends on ${formatDate(at, timeZone)}`,
    lines: [
      `On ${formatDate(at, timeZone)} we’ll charge your card ${formatMoney(amount, CURRENCY)} for your first ${periods[plan]}. After that it’s the price of your plan every ${periods[plan]}.`,
      'Nothing to do if you’re staying. If not, cancel on your subscription page before then and nothing is charged.',
    ],
    link: toSubscription,
  }),
  'card-expiring': ({ card, expiry, isExpired, at }: Expiry, { siteName, timeZone }: Site) => ({
    subject: `Your card for ${siteName} ${isExpired ? 'has expired' : 'expires soon'}`,
    lines: [
      `The card that pays for Premium (${card}) ${isExpired ? 'expired' : 'expires'} at the end of ${formatMonth(expiry)}.`,
      `Your next payment is on ${formatDate(at, timeZone)}. Update your card before then to keep Premium.`,
    ],
    link: toCard,
  }),
  'once-ending': (
    { until, months }: { until: number; months: number },
    { siteName, timeZone }: Site,
  ) => ({
    subject: `Your ${siteName} Premium ends on ${formatDate(until, timeZone)}`,
    lines: [
      `The time you paid for lasts until ${formatDate(until, timeZone)}. Nothing renews by itself, and there is nothing to cancel.`,
      'If you’d like to stay, pay for the next months: they’re added to the end, so you lose nothing by paying now.',
    ],
    link: {
      label: months === 1 ? 'Pay for another month' : `Pay for ${months} more months`,
      path: `/pricing?pay=${months}`,
    },
  }),
  /** Its payment was refunded. */
  'gift-ended': ({ until }: { until: number }, { siteName, timeZone }: Site) => ({
    subject: `Your gift of ${siteName} Premium was refunded`,
    lines: [
      'The payment for your gift was refunded, so what was left of it has ended. Nothing was charged to you.',
      `What you have otherwise stays: it lasts until ${formatDate(until, timeZone)}.`,
    ],
    link: toSubscription,
  }),
  'gift-ending': ({ until }: { until: number }, { siteName, timeZone }: Site) => ({
    subject: `Your gift of ${siteName} Premium ends on ${formatDate(until, timeZone)}`,
    lines: [
      `Your gift lasts until ${formatDate(until, timeZone)}. Nothing is charged when it ends, and there is nothing to cancel.`,
      'If you’d like to keep Premium, choose a plan. It starts when the gift ends, so you lose nothing.',
    ],
    link: { label: 'See the plans', path: '/pricing' },
  }),
  'price-change': (
    { plan, oldAmount, amount, at }: Coming & { oldAmount: number },
    { siteName, timeZone }: Site,
  ) => {
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
  'price-change-cancelled': (
    { plan, amount }: { plan: Plan; amount: number },
    { siteName }: Site,
  ) => ({
    subject: `The price of your ${siteName} Premium stays the same`,
    lines: [
      `We told you that the price of your ${plan} plan would change. It won’t: it stays ${formatMoney(amount, CURRENCY)} a ${periods[plan]}.`,
      'There’s nothing to do.',
    ],
    link: toSubscription,
  }),
  /** What members may keep as files: `at` is null for what no longer ends. */
  'files-change': ({ now, changes }: FilesChange, { siteName, timeZone }: Site) => {
    const lines = changes.map((change) => describeFileChange(change, now, timeZone));
    const isLoss = changes.some(({ at }) => at !== null);
    return {
      subject: `${lines[0]?.[0] ?? ''} on ${siteName}`,
      lines: [
        ...lines.map((parts) => `${parts[0]}${parts[1]}`),
        ...(isLoss
          ? [
              'Everything else stays: every mix in full, here and in your podcast and music apps.',
              'If that isn’t what you want to pay for, cancel on your subscription page: you keep Premium until the end of the time you’ve paid for, and nothing more is charged. The refund policy on our site says when you get money back.',
            ]
          : ['There’s nothing to do.']),
      ],
      link: isLoss
        ? { label: 'See or cancel your subscription', path: '/subscription' }
        : toSubscription,
    };
  },
  'trial-card-used': (_facts: object, { siteName }: Site) => ({
    subject: `Your free trial of ${siteName} Premium didn’t start`,
    lines: [
      'That card has already had its free trial, so this one didn’t start. You won’t be charged. If your bank shows a small test charge, it has been reversed.',
      'You can subscribe without a trial any time, with the same card or another one.',
    ],
    link: { label: 'See the plans', path: '/pricing' },
  }),
} satisfies Texts;

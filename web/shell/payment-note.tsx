import { Link, useLocation } from 'wouter';
import type { User } from '#contract/accounts.ts';
import { formatDay } from '#web/lib/format/format.ts';

type PaymentDue = NonNullable<User['paymentDue']>;

const texts = {
  owed: {
    say: (day: string) =>
      `Your last payment didn’t go through. Your subscription ends on ${day} unless it’s paid.`,
    link: 'Pay now',
  },
  confirm: {
    say: (day: string) =>
      `Your bank wants you to confirm your payment. Your subscription ends on ${day} unless it’s paid.`,
    link: 'Confirm the payment',
  },
  ends: {
    say: (day: string) => `Your Premium ends on ${day}. Nothing renews by itself.`,
    link: 'Pay for more months',
  },
};

/** On every page until it is paid, except on the one that pays it. */
export function PaymentNote({ kind, until }: PaymentDue) {
  const [location] = useLocation();
  if (location === '/subscription') return null;
  const { say, link } = texts[kind];
  return (
    <section
      aria-label="Payment due"
      className="flex flex-wrap items-center gap-x-4 border-b border-line bg-surface px-gutter py-1.5 text-13 text-text-2"
    >
      <p className="min-w-0 flex-1 basis-52 py-1.5">{say(formatDay(until))}</p>
      <Link
        href="/subscription"
        className="inline-flex min-h-11 items-center font-semibold text-text underline underline-offset-4"
      >
        {link}
      </Link>
    </section>
  );
}

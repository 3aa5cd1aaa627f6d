import { Link, useLocation } from 'wouter';
import type { User } from '#contract/accounts.ts';
import { formatDay } from '#web/lib/format.ts';

type PaymentDue = NonNullable<User['paymentDue']>;

/** On every page until what is owed is paid, except on the one that pays it. */
export function PaymentNote({ until, needsMember }: PaymentDue) {
  const [location] = useLocation();
  if (location === '/subscription') return null;
  const what = needsMember
    ? 'Your bank wants you to confirm your payment'
    : 'Your last payment didn’t go through';
  return (
    <section
      aria-label="Payment due"
      className="flex flex-wrap items-center gap-x-4 border-b border-line bg-surface px-gutter py-1.5 text-13 text-text-2"
    >
      <p className="min-w-0 flex-1 basis-52 py-1.5">
        {what}. Your subscription ends on {formatDay(until)} unless it’s paid.
      </p>
      <Link
        href="/subscription"
        className="inline-flex min-h-11 items-center font-semibold text-text underline underline-offset-4"
      >
        {needsMember ? 'Confirm the payment' : 'Pay now'}
      </Link>
    </section>
  );
}

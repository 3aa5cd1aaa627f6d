import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { Link } from 'wouter';
import type { User } from '#contract/accounts.ts';
import type { Quote, Subscription } from '#contract/billing.ts';
import type { Plan } from '#contract/rules/plans.ts';
import { ApiError } from '#web/lib/api/api.ts';
import { withNext } from '#web/lib/location/next-path.ts';
import { Button, LinkButton } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { plansQuery, quoteQuery, subscriptionQuery } from '#web/features/billing/api.ts';
import type { CheckoutFailure } from './checkout-failure.ts';
import { checkoutPath } from './checkout-path.ts';
import { CouponForm } from './coupon-form.tsx';
import type { Offer } from './premium-offer.ts';
import {
  describeQuote,
  formatNearDay,
  useDateContext,
  type DateContext,
} from '#web/features/billing/subscription-texts.ts';
import { useCheckout } from './use-checkout.ts';

type PremiumActionProps = {
  user: User;
  plan: Plan;
  offer: Offer;
  initialCoupon?: string | null;
  next?: string | null;
  onStart?: (() => void) | undefined;
};

const links = {
  current: 'Your current plan',
  resume: 'Resume your subscription',
  pay: 'Pay what’s due',
};

export function PremiumAction({ offer, ...rest }: PremiumActionProps) {
  if (offer === 'checkout') return <Checkout {...rest} />;
  if (offer === 'unknown') return <Skeleton className="mt-auto h-[52px] rounded-pill" />;
  return (
    <LinkButton href="/subscription" size="lg" isBlock className="mt-auto">
      {links[offer]}
    </LinkButton>
  );
}

const isCode = (error: unknown, code: string): boolean =>
  error instanceof ApiError && error.code === code;

function Checkout(props: Omit<PremiumActionProps, 'offer'>) {
  const { user, plan, initialCoupon = null, next = null, onStart } = props;
  const dates = useDateContext();
  const [coupon, setCoupon] = useState(initialCoupon);
  const { data: plans } = useQuery(plansQuery);
  const { start, failure, isBusy } = useCheckout(user.id);
  const subscription = useQuery(subscriptionQuery);
  // A subscriber would only be told that there is nothing to buy.
  const quote = useQuery({ ...quoteQuery(plan, coupon), enabled: subscription.isFetched });
  const isKnown = quote.isSuccess && subscription.isSuccess;
  const hasFailed = quote.isError || subscription.isError;
  useStartOnce({ isKnown, hasFailed, onStart }, () => void start(plan, coupon, next));
  if (isCode(quote.error, 'already_subscribed'))
    return <PremiumAction {...props} offer="current" />;
  const couponError =
    coupon !== null && quote.error instanceof ApiError && quote.error.status < 500
      ? (quote.error.fields.coupon ?? quote.error.message)
      : null;
  const applied = couponError === null ? coupon : null;
  const isOpening = isBusy || (onStart !== undefined && !hasFailed);
  // Someone whose card is still being charged must not subscribe twice.
  const isBlocked = isOpening || !subscription.isFetched;
  const back = checkoutPath({ plan, coupon: applied, isStarted: false, next });
  return (
    <>
      <div className="mt-auto flex flex-col gap-3">
        <CouponForm
          applied={quote.data?.coupon ?? null}
          code={coupon}
          error={couponError}
          isChecking={quote.isFetching}
          onChange={setCoupon}
        />
        <p aria-live="polite" className="min-h-12 text-16 md:min-h-6">
          {quote.data && plans
            ? describeQuote(quote.data, plans[plan].amount, dates)
            : quote.isError &&
              !couponError && <QuoteProblem onRetry={() => void quote.refetch()} />}
        </p>
      </div>
      <div className="sticky bottom-(--dock) -mx-4 mt-3 -mb-3 flex flex-col gap-3 border-t border-line bg-bg px-4 py-3 md:-mx-8 md:px-8">
        {failure && <FailureNotice failure={failure} loginPath={withNext('/login', back)} />}
        <Button
          size="lg"
          isBlock
          aria-disabled={isBlocked}
          onClick={() => void (isBlocked || start(plan, applied, next))}
        >
          {isOpening
            ? 'Opening the payment page…'
            : nameAction(quote.data, subscription.data, dates)}
        </Button>
        <p className="text-12 text-text-2 [&_a]:underline [&_a]:underline-offset-4">
          By paying you agree to the <Link href="/terms">Terms</Link> and the{' '}
          <Link href="/refunds">Refund Policy</Link>.
        </p>
      </div>
    </>
  );
}

type Continued = { isKnown: boolean; hasFailed: boolean; onStart: (() => void) | undefined };

/**
 * Continues a checkout that was chosen before logging in, once its price is known. If that fails, a
 * rejected code for example, the user decides.
 */
function useStartOnce({ isKnown, hasFailed, onStart }: Continued, start: () => void): void {
  const isDone = useRef(false);
  useEffect(() => {
    if (!onStart || isDone.current || !(isKnown || hasFailed)) return;
    isDone.current = true;
    onStart();
    if (!hasFailed) start();
  });
}

function nameAction(
  quote: Quote | null | undefined,
  subscription: Subscription | null | undefined,
  dates: DateContext,
): string {
  if (quote && quote.trialDays > 0) return `Start ${quote.trialDays}-day free trial`;
  if (subscription?.hasAccess && subscription.paidThrough !== null)
    return `Keep Premium after ${formatNearDay(subscription.paidThrough, dates)}`;
  return 'Upgrade to Premium';
}

/** The checkout still works: the provider shows the price before charging anything. */
function QuoteProblem({ onRetry }: { onRetry: () => void }) {
  return (
    <>
      Couldn’t load the price.{' '}
      <button type="button" className="underline underline-offset-4" onClick={onRetry}>
        Try again
      </button>
    </>
  );
}

function FailureNotice({ failure, loginPath }: { failure: CheckoutFailure; loginPath: string }) {
  return (
    <Notice tone="danger" title={failure.title}>
      {failure.text} {failure.link === 'login' && <Link href={loginPath}>Login</Link>}
      {failure.link === 'subscription' && <Link href="/subscription">Your subscription</Link>}
    </Notice>
  );
}

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import type { User } from '#contract/accounts.ts';
import type { Quote } from '#contract/billing.ts';
import type { Plan } from '#contract/rules/plans.ts';
import { ApiError } from '#web/lib/api.ts';
import { plansQuery } from '#web/lib/plan-queries.ts';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { quoteQuery } from './api.ts';
import type { Failure } from './checkout-failure.ts';
import { CouponForm } from './coupon-form.tsx';
import type { Offer } from './offer.ts';
import { PendingCheckout, usePending } from './pending-checkout.tsx';
import { useCheckout } from './use-checkout.ts';
import { useMoment } from './use-moment.ts';
import { describeQuote } from './words.ts';

type PremiumActionProps = {
  user: User;
  plan: Plan;
  offer: Offer;
  initialCoupon: string | null;
  leftReference: string | null;
  loginPath: string;
};

const links = {
  current: 'Your current plan',
  resume: 'Resume your subscription',
  repair: 'Update your card',
};

export function PremiumAction({ offer, ...rest }: PremiumActionProps) {
  if (offer === 'checkout') return <Checkout {...rest} />;
  if (offer === 'unknown') return <Skeleton className="h-[52px] rounded-pill" />;
  return (
    <Link href="/subscription" className={buttonClass({ size: 'lg', isBlock: true })}>
      {links[offer]}
    </Link>
  );
}

const isCode = (error: unknown, code: string): boolean =>
  error instanceof ApiError && error.code === code;

function Checkout(props: Omit<PremiumActionProps, 'offer'>) {
  const { user, plan, initialCoupon, leftReference, loginPath } = props;
  const moment = useMoment();
  const [coupon, setCoupon] = useState(initialCoupon);
  const { data: plans } = useQuery(plansQuery);
  const pending = usePending(leftReference);
  const quote = useQuery(quoteQuery(plan, coupon));
  const { begin, failure, isBusy } = useCheckout(user.id);
  if (isCode(quote.error, 'already_subscribed'))
    return <PremiumAction {...props} offer="current" />;
  const couponError =
    coupon !== null && quote.error instanceof ApiError && quote.error.status < 500
      ? (quote.error.fields.coupon ?? quote.error.message)
      : null;
  const applied = couponError === null ? coupon : null;
  return (
    <div className="flex flex-col gap-3">
      {pending && !isBusy && <PendingCheckout reference={pending} />}
      <CouponForm
        applied={quote.data?.coupon ?? null}
        code={coupon}
        error={couponError}
        isChecking={quote.isFetching}
        onChange={setCoupon}
      />
      <p aria-live="polite" className="min-h-12 text-16 md:min-h-6">
        {quote.data && plans
          ? describeQuote(quote.data, plans[plan].amount, moment)
          : quote.isError && !couponError && <QuoteProblem onRetry={() => void quote.refetch()} />}
      </p>
      {failure && <FailureNotice failure={failure} loginPath={loginPath} />}
      <Button size="lg" isBlock aria-disabled={isBusy} onClick={() => void begin(plan, applied)}>
        {isBusy ? 'Opening the payment page…' : nameStep(quote.data)}
      </Button>
    </div>
  );
}

const nameStep = (quote: Quote | undefined): string =>
  quote && quote.trialDays > 0 ? `Start ${quote.trialDays} free days` : 'Upgrade to Premium';

/** Nothing is lost: the provider's page says the same before anything is charged. */
function QuoteProblem({ onRetry }: { onRetry: () => void }) {
  return (
    <>
      What you pay and when could not be loaded.{' '}
      <button type="button" className="underline underline-offset-4" onClick={onRetry}>
        Try again
      </button>
    </>
  );
}

function FailureNotice({ failure, loginPath }: { failure: Failure; loginPath: string }) {
  return (
    <Notice tone="danger" title={failure.title}>
      {failure.text} {failure.way === 'login' && <Link href={loginPath}>Login</Link>}
      {failure.way === 'subscription' && <Link href="/subscription">Your subscription</Link>}
    </Notice>
  );
}

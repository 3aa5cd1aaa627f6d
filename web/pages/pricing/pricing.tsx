import { useState } from 'react';
import { Redirect, useLocation } from 'wouter';
import { plansQuery, subscriptionQuery } from '#web/features/billing/api.ts';
import { checkoutPath, parseCheckout } from '#web/features/billing/checkout/checkout-path.ts';
import { PlanOffer } from '#web/features/billing/plans/plan-offer.tsx';
import { PlanToggle } from '#web/features/billing/plans/plan-toggle.tsx';
import { PayOnceSection } from '#web/features/billing/pay-once/pay-once-section.tsx';
import { FileEndsNotice } from '#web/features/downloads/file-ends-notice.tsx';
import { useCurrentUser } from '#web/lib/api/current-user.ts';
import { useQueryParam, useQueryString } from '#web/lib/location/use-query-param.ts';
import { PageHead } from '#web/ui/page-head.tsx';

export const listQueries = () => [plansQuery, subscriptionQuery];

export function Page() {
  const { user } = useCurrentUser();
  const [, navigate] = useLocation();
  const leftReference = useQueryParam('reference');
  const search = useQueryString();
  const [intent, setIntent] = useState(() => parseCheckout(search));
  const [plan, setPlan] = useState(intent.plan);
  if (!user) return null;
  if (intent.isStarted && user.isSubscriber)
    return <Redirect to={intent.next ?? '/subscription'} replace />;
  // After returning from the payment page, the user decides again.
  const forgetStart = () => {
    const waiting = { ...intent, isStarted: false };
    setIntent(waiting);
    navigate(checkoutPath(waiting), { replace: true });
  };
  return (
    <>
      <PageHead
        title="Hear the whole year"
        end={<PlanToggle plan={plan} onPlanChange={setPlan} />}
      />
      <div className="px-gutter pt-6 empty:hidden">
        <FileEndsNotice />
      </div>
      <PlanOffer
        user={user}
        plan={plan}
        initialCoupon={intent.coupon}
        next={intent.next}
        leftReference={leftReference}
        onStart={intent.isStarted ? forgetStart : undefined}
      />
      <PayOnceSection />
    </>
  );
}

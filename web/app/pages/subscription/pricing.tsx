import { useState } from 'react';
import { useLocation } from 'wouter';
import type { Plan } from '#contract/rules/plans.ts';
import { PlanOffer, PlanToggle } from '#web/features/billing/plan-offer.tsx';
import { useCurrentUser } from '#web/lib/current-user.ts';
import { loginPath } from '#web/lib/guard.ts';
import { useQueryParam } from '#web/lib/use-query-param.ts';
import { PageHead } from '#web/ui/page-head.tsx';

export function Page() {
  const { user } = useCurrentUser();
  const [location] = useLocation();
  const initialPlan = useQueryParam('plan');
  const code = useQueryParam('code');
  const leftReference = useQueryParam('reference');
  const [plan, setPlan] = useState<Plan>(initialPlan === 'annual' ? 'annual' : 'monthly');
  if (!user) return null;
  return (
    <>
      <PageHead
        title="Hear the whole year"
        end={<PlanToggle plan={plan} onPlanChange={setPlan} />}
      />
      <PlanOffer
        user={user}
        plan={plan}
        initialCoupon={code}
        leftReference={leftReference}
        loginPath={loginPath(location)}
      />
    </>
  );
}

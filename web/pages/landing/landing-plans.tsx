import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { User } from '#contract/accounts.ts';
import type { Plans } from '#contract/billing.ts';
import type { Plan } from '#contract/rules/plans.ts';
import { plansQuery } from '#web/features/billing/api.ts';
import { checkoutPath } from '#web/features/billing/checkout/checkout-path.ts';
import {
  freeBenefits,
  listPremiumBenefits,
  type Benefit,
} from '#web/features/billing/plans/plan-benefits.ts';
import {
  describeSaving,
  formatPlanPrice,
  planNames,
} from '#web/features/billing/plans/plan-texts.ts';
import { hasFullAccess } from '#web/lib/api/current-user.ts';
import { formatMoney } from '#web/lib/format/format.ts';
import { withNext } from '#web/lib/location/next-path.ts';
import { useNext } from '#web/lib/location/use-next.ts';
import { useQueryParam } from '#web/lib/location/use-query-param.ts';
import { samplePeaks, WaveBars } from '#web/ui/art/wave-bars.tsx';
import { LinkButton } from '#web/ui/button.tsx';
import { LoadFailure } from '#web/ui/loaded.tsx';

/** "Upgrade to Premium" leads visitors here. */
export const PLANS_ID = 'plans';

const peaks = samplePeaks(110);

export function LandingPlans({ user }: { user: User | null }) {
  const query = useQuery(plansQuery);
  const { data: plans } = query;
  const next = useNext();
  const price = plans && formatMoney(plans.monthly.amount, plans.currency);
  return (
    <section
      id={PLANS_ID}
      data-week={40}
      tabIndex={-1}
      aria-label="Plans and prices"
      className="mt-16 grid gap-0.5 outline-none md:mx-12 md:mt-24 md:grid-cols-2"
    >
      <PlanPanel
        title={`${price ?? 'Premium'}: all of it`}
        wave={<WaveBars peaks={peaks} className="h-[88px] md:h-[120px]" />}
        benefits={listPremiumBenefits()}
        isFirst
      >
        {hasFullAccess(user) ? (
          <LinkButton href="/subscription" size="lg">
            You have Premium
          </LinkButton>
        ) : (
          <PlanLinks plans={plans ?? undefined} isLoggedIn={user !== null} />
        )}
        <LoadFailure query={query} failed="Couldn’t load the prices" />
      </PlanPanel>
      <PlanPanel
        title="Free: the first taste"
        wave={<WaveBars peaks={peaks} played={0.07} isLocked className="h-[88px] md:h-[120px]" />}
        benefits={freeBenefits}
      >
        <LinkButton
          href={user ? '/' : withNext('/register', next)}
          variant="line"
          size="lg"
          className="self-start"
        >
          {user ? 'Start listening' : 'Register for free'}
        </LinkButton>
        <p className="text-16 text-text-2">No card needed.</p>
      </PlanPanel>
    </section>
  );
}

/** One button per plan. Visitors register first and then go on to pay for it. */
function PlanLinks({ plans, isLoggedIn }: { plans: Plans | undefined; isLoggedIn: boolean }) {
  const coupon = useQueryParam('code');
  const next = useNext();
  const linkTo = (plan: Plan) => {
    const path = checkoutPath({ plan, coupon, isStarted: true, next });
    return isLoggedIn ? path : withNext('/register', path);
  };
  const nameOf = (plan: Plan) => (plans ? formatPlanPrice(plan, plans) : planNames[plan]);
  return (
    <>
      <p className="flex flex-wrap gap-2.5">
        <LinkButton href={linkTo('monthly')} size="lg" className="max-md:grow">
          {nameOf('monthly')}
        </LinkButton>
        <LinkButton href={linkTo('annual')} size="lg" className="max-md:grow">
          {nameOf('annual')}
        </LinkButton>
      </p>
      <p className="text-16 text-text-2">
        {plans && describeAnnual(plans)} Cancel any time.
        {coupon && ` Your code ${coupon} applies when you pay.`}
      </p>
    </>
  );
}

/** `A year: two months free compared with monthly.` */
function describeAnnual(plans: Plans): string {
  const saving = describeSaving(plans);
  return saving ? `A year: ${saving[0]?.toLowerCase()}${saving.slice(1)}` : '';
}

type PlanPanelProps = {
  title: string;
  wave: ReactNode;
  benefits: readonly Benefit[];
  /** Comes first on a phone, where one panel fits the screen. */
  isFirst?: boolean;
  children: ReactNode;
};

function PlanPanel({ title, wave, benefits, isFirst = false, children }: PlanPanelProps) {
  return (
    <div
      className={`flex flex-col gap-6 bg-surface px-4 py-7 md:p-10 ${isFirst ? 'md:order-last' : ''}`}
    >
      <h2 className="type-poster text-56 md:text-[min(5vw,72px)]">{title}</h2>
      {wave}
      {children}
      <ul>
        {benefits.map(({ icon: Icon, text }) => (
          <li key={text} className="flex min-h-11 items-center gap-3 border-t border-line text-16">
            <Icon className="size-[18px] shrink-0 text-text-2" />
            {text}
          </li>
        ))}
      </ul>
    </div>
  );
}

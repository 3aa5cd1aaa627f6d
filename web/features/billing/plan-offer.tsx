import { useQuery } from '@tanstack/react-query';
import type { User } from '#contract/accounts.ts';
import { CURRENCY, type Plan } from '#contract/rules/plans.ts';
import { PREVIEW_TEXT } from '#contract/rules/preview.ts';
import { Button } from '#web/ui/button.tsx';
import { Segmented } from '#web/ui/forms/segmented.tsx';
import {
  AudioLines,
  CalendarClock,
  Disc3,
  Download,
  type IconComponent,
  ChartNoAxesColumn,
  Heart,
  Timer,
} from '#web/ui/icons.ts';
import { Notice } from '#web/ui/notice.tsx';
import { plansQuery, subscriptionQuery } from './api.ts';
import { PremiumAction } from './premium-action.tsx';
import { findOffer } from './premium-offer.ts';
import { PriceColumn } from './price-column.tsx';
import { describePrice, planNames } from './subscription-texts.ts';

const freeBenefits: Benefit[] = [
  { icon: Timer, text: `${PREVIEW_TEXT} of every mix` },
  { icon: ChartNoAxesColumn, text: 'Browse the Top 20 and the full archive' },
  { icon: Heart, text: 'Favorites and playlists' },
];

const planOptions: { value: Plan; label: string }[] = [
  { value: 'monthly', label: planNames.monthly },
  { value: 'annual', label: planNames.annual },
];

type PlanToggleProps = { plan: Plan; onPlanChange: (plan: Plan) => void };

export function PlanToggle({ plan, onPlanChange }: PlanToggleProps) {
  return <Segmented label="Plan" options={planOptions} value={plan} onValueChange={onPlanChange} />;
}

type PlanOfferProps = {
  user: User;
  plan: Plan;
  /** A code from the address. */
  initialCoupon: string | null;
  /** The checkout that the user has left without paying. */
  leftReference: string | null;
  loginPath: string;
};

export function PlanOffer({ user, plan, ...checkout }: PlanOfferProps) {
  const plans = useQuery(plansQuery);
  const { data: subscription } = useQuery(subscriptionQuery);
  const offer = findOffer(user, subscription);
  return (
    <>
      {plans.isError && !plans.data && (
        <div className="px-gutter pt-5">
          <Notice tone="danger" title="Couldn’t load the prices">
            Check your connection and{' '}
            <button type="button" onClick={() => void plans.refetch()}>
              try again
            </button>
            .
          </Notice>
        </div>
      )}
      <div className="mt-7 grid gap-0.5 md:mx-gutter lg:grid-cols-[minmax(0,1fr)_minmax(0,1.45fr)]">
        <PriceColumn
          name="Free"
          amount={0}
          currency={CURRENCY}
          note="No card needed"
          benefits={freeBenefits}
          bars="hollow"
        >
          <Button variant="line" size="lg" isBlock disabled>
            {user.isSubscriber ? 'Included in Premium' : 'Your current plan'}
          </Button>
        </PriceColumn>
        <PriceColumn
          name="Premium"
          amount={plans.data?.[plan].amount ?? null}
          currency={CURRENCY}
          note={plans.data && describePrice(plan, plans.data)}
          benefits={premiumBenefits}
          bars="solid"
          isInverted
        >
          <PremiumAction user={user} plan={plan} offer={offer} {...checkout} />
        </PriceColumn>
      </div>
      <p className="max-w-[80ch] px-gutter pt-4 type-meta">
        Prices in South African rand. You pay on our payment provider’s secure page; we never see
        your card number. Change or cancel any time in Subscription.
      </p>
    </>
  );
}

type Benefit = { icon: IconComponent; text: string };

const premiumBenefits: Benefit[] = [
  { icon: Download, text: 'Unlimited downloads of all tracks' },
  { icon: CalendarClock, text: 'Early access to new weekly releases' },
  { icon: AudioLines, text: 'High-quality lossless audio formats' },
  { icon: Disc3, text: 'Exclusive subscriber-only tracks' },
];

import {
  AudioLines,
  CalendarClock,
  ChartNoAxesColumn,
  Disc3,
  Download,
  Heart,
  Timer,
  type LucideIcon,
} from 'lucide-react';
import { useState } from 'react';
import { plans, type Plan } from '#contract/rules/plans.ts';
import { useCurrentUser } from '#web/lib/current-user.ts';
import { Button } from '#web/ui/button.tsx';
import { PageHead } from '#web/ui/page-head.tsx';
import { Segmented } from '#web/ui/segmented.tsx';
import { PriceColumn } from './price-column.tsx';

type Benefit = { icon: LucideIcon; text: string };

const freeBenefits: Benefit[] = [
  { icon: Timer, text: '20-second preview of every mix' },
  { icon: ChartNoAxesColumn, text: 'Top 20 and the full archive to browse' },
  { icon: Heart, text: 'Favorites and playlists' },
];
const premiumBenefits: Benefit[] = [
  { icon: Download, text: 'Unlimited downloads of all tracks' },
  { icon: CalendarClock, text: 'Early access to new weekly releases' },
  { icon: AudioLines, text: 'High-quality lossless audio formats' },
  { icon: Disc3, text: 'Exclusive subscriber-only tracks' },
];
const terms: Record<Plan, string> = {
  monthly: 'Per month. Cancel any time.',
  annual: 'Per year. Two months free against monthly.',
};
const planOptions: { value: Plan; label: string }[] = [
  { value: 'monthly', label: 'Monthly' },
  { value: 'annual', label: 'Annual' },
];

export function PricingPage() {
  const { user } = useCurrentUser();
  const [plan, setPlan] = useState<Plan>('monthly');
  const isSubscriber = user?.isSubscriber ?? false;
  return (
    <>
      <PageHead
        title="Hear the whole year"
        end={<Segmented label="Plan" options={planOptions} value={plan} onValueChange={setPlan} />}
      />
      <div className="mt-7 grid gap-0.5 md:mx-gutter lg:grid-cols-[minmax(0,1fr)_minmax(0,1.45fr)]">
        <PriceColumn
          name="Free"
          rand={0}
          note="No card needed"
          benefits={freeBenefits}
          bars="hollow"
        >
          <Button variant="line" size="lg" isBlock disabled>
            {isSubscriber ? 'Included in Premium' : 'Your current plan'}
          </Button>
        </PriceColumn>
        <PriceColumn
          name="Premium"
          rand={plans[plan].amount / 100}
          note={terms[plan]}
          benefits={premiumBenefits}
          bars="solid"
          isInverted
        >
          <Button size="lg" isBlock disabled aria-describedby="checkout-note">
            {isSubscriber ? 'Your current plan' : 'Upgrade to Premium'}
          </Button>
        </PriceColumn>
      </div>
      <p id="checkout-note" className="px-gutter pt-4 type-meta">
        Prices in South African rand. {!isSubscriber && 'This site does not take payments yet.'}
      </p>
    </>
  );
}

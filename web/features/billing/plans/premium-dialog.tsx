import { useQuery } from '@tanstack/react-query';
import { useRef, useState, type RefObject } from 'react';
import { Link, useLocation } from 'wouter';
import type { Plan } from '#contract/rules/plans.ts';
import { plansPath, withNext } from '#web/lib/location/next-path.ts';
import { useNext } from '#web/lib/location/use-next.ts';
import { Button, LinkButton } from '#web/ui/button.tsx';
import { Dialog, DialogClose, DialogContent } from '#web/ui/overlays/dialog.tsx';
import { PosterBars, yearShape } from '#web/ui/art/poster-bars.tsx';
import { plansQuery } from '#web/features/billing/api.ts';
import { checkoutPath } from '#web/features/billing/checkout/checkout-path.ts';
import { readOffers } from '#web/lib/store/boot.ts';
import { listPremiumExtras } from './plan-benefits.ts';
import { PlanToggle } from './plan-toggle.tsx';

type PremiumDialogProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  isLoggedIn: boolean;
};

export function PremiumDialog({ open, onOpenChange, isLoggedIn }: PremiumDialogProps) {
  const [plan, setPlan] = useState<Plan>('monthly');
  const action = useRef<HTMLAnchorElement>(null);
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent
        size="wide"
        title={
          isLoggedIn
            ? readOffers().mp3
              ? 'Unlock Premium Downloads'
              : 'Unlock Premium'
            : 'Register and Subscribe to Premium'
        }
        description={
          readOffers().mp3
            ? 'Keep every week of the year, in full.'
            : 'Every week of the year, in full.'
        }
        art={<PosterBars bars={yearShape()} />}
        footer={<Actions isLoggedIn={isLoggedIn} plan={plan} action={action} />}
        onOpenAutoFocus={(event) => {
          event.preventDefault();
          action.current?.focus();
        }}
      >
        <ul>
          {listPremiumExtras().map(({ icon: Icon, text }) => (
            <li key={text} className="flex items-center gap-3.5 border-t border-line py-2.5">
              <Icon className="size-[18px] shrink-0 text-text-2" />
              {text}
            </li>
          ))}
        </ul>
        {!isLoggedIn && <PlanChoice plan={plan} onPlanChange={setPlan} />}
      </DialogContent>
    </Dialog>
  );
}

type PlanChoiceProps = { plan: Plan; onPlanChange: (plan: Plan) => void };

/** Visitors choose a plan here, and pay for it after registering. */
function PlanChoice({ plan, onPlanChange }: PlanChoiceProps) {
  const { data: plans } = useQuery(plansQuery);
  const [location] = useLocation();
  const next = useNext();
  return (
    <div className="mt-1 flex flex-wrap items-center gap-x-5 gap-y-1 border-t border-line pt-3.5">
      <PlanToggle plan={plan} plans={plans ?? undefined} onPlanChange={onPlanChange} />
      {location !== '/landing' && (
        <Link
          href={plansPath(next)}
          className="inline-flex min-h-11 items-center text-text-2 underline underline-offset-4 hover:text-text"
        >
          Compare plans
        </Link>
      )}
    </div>
  );
}

type ActionsProps = {
  isLoggedIn: boolean;
  plan: Plan;
  /** Has the focus when the dialog opens. */
  action: RefObject<HTMLAnchorElement | null>;
};

function Actions({ isLoggedIn, plan, action }: ActionsProps) {
  const next = useNext();
  const checkout = checkoutPath({ plan, coupon: null, isStarted: true, next });
  return (
    <>
      <LinkButton
        ref={action}
        href={isLoggedIn ? '/subscription' : withNext('/register', checkout)}
        size="lg"
      >
        {isLoggedIn ? 'Upgrade to Premium' : 'Create Account'}
      </LinkButton>
      {!isLoggedIn && (
        <LinkButton href={withNext('/login', next)} variant="line" size="lg">
          Login
        </LinkButton>
      )}
      <DialogClose asChild>
        <Button variant="quiet" size="lg">
          {isLoggedIn ? 'Maybe Later' : 'Continue as Guest'}
        </Button>
      </DialogClose>
    </>
  );
}

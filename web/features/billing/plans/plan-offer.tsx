import { useQuery } from '@tanstack/react-query';
import type { User } from '#contract/accounts.ts';
import { CURRENCY, type Plan } from '#contract/rules/plans.ts';
import { Button } from '#web/ui/button.tsx';
import { LoadFailure } from '#web/ui/loaded.tsx';
import { plansQuery, subscriptionQuery } from '#web/features/billing/api.ts';
import { freeBenefits, listPremiumBenefits } from './plan-benefits.ts';
import {
  PaymentResult,
  usePendingReference,
} from '#web/features/billing/checkout/payment-result.tsx';
import { PremiumAction } from '#web/features/billing/checkout/premium-action.tsx';
import { findOffer } from '#web/features/billing/checkout/premium-offer.ts';
import { PriceColumn } from './price-column.tsx';
import { describePrice } from './plan-texts.ts';

type PlanOfferProps = {
  user: User;
  plan: Plan;
  /** A code from the address. */
  initialCoupon?: string | null;
  /** The page that Premium is wanted for. */
  next?: string | null;
  /** The checkout that the user has left without paying. */
  leftReference?: string | null;
  /** Starts the checkout without a click, because the user chose the plan before logging in. */
  onStart?: (() => void) | undefined;
};

export function PlanOffer({ user, plan, leftReference = null, ...checkout }: PlanOfferProps) {
  const pending = usePendingReference(leftReference);
  const plans = useQuery(plansQuery);
  const subscription = useQuery(subscriptionQuery);
  const offer = findOffer(user, subscription.data);
  return (
    <>
      {pending && (
        <div className="px-gutter pt-5 empty:hidden">
          <PaymentResult reference={pending} />
        </div>
      )}
      <div className="grid gap-3 px-gutter pt-5 empty:hidden">
        <LoadFailure query={plans} failed="Couldn’t load the prices" />
        {offer === 'unknown' && (
          <LoadFailure query={subscription} failed="Couldn’t load your subscription" />
        )}
      </div>
      <div className="mt-7 grid gap-0.5 md:mx-gutter @3xl/content:grid-cols-[minmax(0,1fr)_minmax(0,1.45fr)]">
        <PriceColumn
          name="Free"
          amount={0}
          currency={CURRENCY}
          note="No card needed"
          benefits={freeBenefits}
          bars="hollow"
        >
          <Button variant="line" size="lg" isBlock disabled className="mt-auto">
            {user.isSubscriber ? 'Included in Premium' : 'Your current plan'}
          </Button>
        </PriceColumn>
        <PriceColumn
          name="Premium"
          amount={plans.data?.[plan].amount ?? null}
          currency={CURRENCY}
          note={plans.data && describePrice(plan, plans.data)}
          benefits={listPremiumBenefits()}
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

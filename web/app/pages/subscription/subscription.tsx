import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState, type ReactNode } from 'react';
import { useSearch } from 'wouter';
import type { User } from '#contract/accounts.ts';
import type { Subscription } from '#contract/billing.ts';
import type { Plan } from '#contract/rules/plans.ts';
import { PREVIEW_TEXT } from '#contract/rules/preview.ts';
import { EmailNotice } from '#web/features/accounts/email-address.tsx';
import { subscriptionQuery } from '#web/features/billing/api.ts';
import { checkMutation } from '#web/features/billing/subscription-changes.ts';
import { parseCheckout } from '#web/features/billing/checkout-path.ts';
import { BuyerSettings } from '#web/features/billing/documents/buyer-settings.tsx';
import { InvoiceList } from '#web/features/billing/documents/invoice-list.tsx';
import {
  PaymentProblem,
  PaymentSettings,
  PriceChangeNotice,
  StillRenews,
  WithdrawalNotice,
} from '#web/features/billing/payment-settings.tsx';
import { PlanOffer } from '#web/features/billing/plan-offer.tsx';
import { PlanToggle } from '#web/features/billing/plan-toggle.tsx';
import { PlanPanels, PlanPanelsSkeleton } from '#web/features/billing/plan-panels.tsx';
import { describeOtherSubscription } from '#web/features/billing/subscription-texts.ts';
import { hasFullAccess, useCurrentUser } from '#web/lib/current-user.ts';
import { LoadError } from '#web/ui/empty-state.tsx';
import { SettingsColumns, SettingsSection } from '#web/ui/forms/settings.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { PageHead } from '#web/ui/page-head.tsx';

/** What the user did on the provider's card page shows at once; a reload doesn't ask again. */
export function checkCardReturn(
  { location, history }: Pick<Window, 'location' | 'history'>,
  check: () => void,
): void {
  if (new URLSearchParams(location.search).get('card') !== 'updated') return;
  history.replaceState(history.state, '', location.pathname);
  check();
}

export function Page() {
  const { mutate: check } = useMutation(checkMutation(useQueryClient()));
  useEffect(() => checkCardReturn(window, check), [check]);
  const { user } = useCurrentUser();
  const { data, isError, refetch } = useQuery(subscriptionQuery);
  if (!user) return null;
  // Until we know, a user without access most likely has no subscription.
  const isOver = data
    ? !data.hasAccess && !data.problem && !data.renews
    : !isError && !hasFullAccess(user);
  if (isOver)
    return (
      <FreeSubscription
        user={user}
        hadOne={data?.status === 'ended'}
        notices={data && <Notices subscription={data} />}
      />
    );
  return (
    <>
      <PageHead title="Subscription" />
      {isError && !data && (
        <LoadError
          title="Couldn’t load your subscription"
          text="Your Premium access isn’t affected. Check your connection and try again."
          onRetry={() => void refetch()}
          className="px-gutter pt-8"
        />
      )}
      {!data && !isError && <PlanPanelsSkeleton />}
      {data && (
        <>
          {data.problem && <PaymentProblem subscription={data} />}
          {!data.problem && !data.hasAccess && data.renews && <StillRenews subscription={data} />}
          <Notices subscription={data} />
          {data.priceChange && <PriceChangeNotice subscription={data} />}
          <PlanPanels subscription={data} />
          <SettingsColumns>
            <PaymentSettings subscription={data} />
            <SettingsSection title="Invoices">
              <EmailNotice user={user} className="mb-3" />
              <InvoiceList />
              <BuyerSettings />
            </SettingsSection>
          </SettingsColumns>
        </>
      )}
    </>
  );
}

function OtherSubscriptions({
  subscription: { otherSubscriptions },
}: {
  subscription: Subscription;
}) {
  return otherSubscriptions.map((other) => (
    <div key={other.provider} className="px-gutter pt-6">
      <Notice tone="warning" title="You need to cancel this subscription yourself">
        {describeOtherSubscription(other)}
      </Notice>
    </div>
  ));
}

function Notices({ subscription }: { subscription: Subscription }) {
  return (
    <>
      <OtherSubscriptions subscription={subscription} />
      <WithdrawalNotice subscription={subscription} />
    </>
  );
}

type FreeSubscriptionProps = { user: User; hadOne: boolean; notices: ReactNode };

function FreeSubscription({ user, hadOne, notices }: FreeSubscriptionProps) {
  const search = useSearch();
  const [intent] = useState(() => parseCheckout(search));
  const [plan, setPlan] = useState<Plan>(intent.plan);
  return (
    <>
      <PageHead
        title="Subscription"
        lead={
          hadOne
            ? `Your subscription has ended. You’re hearing ${PREVIEW_TEXT}s again.`
            : `You’re hearing ${PREVIEW_TEXT}s. Premium plays every mix in full.`
        }
        end={<PlanToggle plan={plan} onPlanChange={setPlan} />}
      />
      {notices}
      <PlanOffer user={user} plan={plan} initialCoupon={intent.coupon} />
      <SettingsSection title="Invoices">
        {hadOne && <InvoiceList />}
        <BuyerSettings />
      </SettingsSection>
    </>
  );
}

import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useSearch } from 'wouter';
import type { User } from '#contract/accounts.ts';
import type { Subscription } from '#contract/billing.ts';
import type { Plan } from '#contract/rules/plans.ts';
import { PREVIEW_TEXT } from '#contract/rules/preview.ts';
import { FileEndsNotice } from '#web/features/downloads/file-ends-notice.tsx';
import { EmailNotice } from '#web/features/accounts/email-address.tsx';
import { subscriptionQuery } from '#web/features/billing/api.ts';
import { parseCheckout } from '#web/features/billing/checkout/checkout-path.ts';
import { BuyerSettings } from './buyer-settings.tsx';
import { InvoiceList } from './invoice-list.tsx';
import { OwedPanel } from './owed-panel.tsx';
import {
  PaymentResult,
  usePendingReference,
} from '#web/features/billing/checkout/payment-result.tsx';
import { PaymentSettings } from './payment-settings.tsx';
import { PlanOffer } from '#web/features/billing/plans/plan-offer.tsx';
import { PlanToggle } from '#web/features/billing/plans/plan-toggle.tsx';
import { PlanPanels, PlanPanelsSkeleton } from './plan-panels.tsx';
import {
  HeldNotice,
  PriceChangeNotice,
  StillRenews,
  WithdrawalNotice,
} from './subscription-notices.tsx';
import { OnceNotices } from './once-notices.tsx';
import { PayOnceSection } from '#web/features/billing/pay-once/pay-once-section.tsx';
import { hasFullAccess, useCurrentUser } from '#web/lib/api/current-user.ts';
import { useQueryParam } from '#web/lib/location/use-query-param.ts';
import { Loaded } from '#web/ui/loaded.tsx';
import { SettingsColumns, SettingsSection } from '#web/ui/forms/settings.tsx';
import { PageHead } from '#web/ui/page-head.tsx';

export function Page() {
  const { user } = useCurrentUser();
  const query = useQuery(subscriptionQuery);
  const { data } = query;
  const returned = useQueryParam('reference');
  const reference = usePendingReference(returned);
  if (!user) return null;
  // Until we know, a user without access most likely has no subscription.
  const isOver = data
    ? !data.hasAccess && !data.problem && !data.renews
    : !query.isError && !hasFullAccess(user);
  if (isOver)
    return (
      <FreeSubscription
        user={user}
        hadOne={data?.status === 'ended'}
        leftReference={returned}
        notices={data && <WithdrawalNotice subscription={data} />}
      />
    );
  return (
    <>
      <PageHead title="Subscription" />
      <Loaded
        query={query}
        look="section"
        failed="Couldn’t load your subscription"
        text="Your Premium access isn’t affected. Check your connection and try again."
        className="px-gutter pt-8"
        skeleton={<PlanPanelsSkeleton />}
      >
        {() => null}
      </Loaded>
      {reference && (
        <div className="px-gutter pt-6 empty:hidden">
          <PaymentResult reference={reference} />
        </div>
      )}
      <OnceNotices />
      <div className="px-gutter pt-6 empty:hidden">
        <FileEndsNotice />
      </div>
      {data && (
        <>
          <Notices subscription={data} />
          {data.problem ? <OwedPanel subscription={data} /> : <PlanPanels subscription={data} />}
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

function Notices({ subscription }: { subscription: Subscription }) {
  const { isHeld, hasAccess, problem, renews, priceChange } = subscription;
  const isUnseen = !problem && !hasAccess && renews;
  return (
    <>
      {isHeld && <HeldNotice subscription={subscription} />}
      {isUnseen && !isHeld && <StillRenews subscription={subscription} />}
      <WithdrawalNotice subscription={subscription} />
      {priceChange && <PriceChangeNotice subscription={subscription} />}
    </>
  );
}

type FreeSubscriptionProps = {
  user: User;
  hadOne: boolean;
  leftReference: string | null;
  notices: ReactNode;
};

function FreeSubscription({ user, hadOne, leftReference, notices }: FreeSubscriptionProps) {
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
      <OnceNotices />
      <PlanOffer
        user={user}
        plan={plan}
        initialCoupon={intent.coupon}
        next={intent.next}
        leftReference={leftReference}
      />
      <PayOnceSection />
      <SettingsSection title="Invoices">
        {hadOne && <InvoiceList />}
        <BuyerSettings />
      </SettingsSection>
    </>
  );
}

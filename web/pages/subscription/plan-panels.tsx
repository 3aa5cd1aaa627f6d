import type { ReactNode } from 'react';
import type { Subscription } from '#contract/billing.ts';
import { formatMoney } from '#web/lib/format/format.ts';
import { PosterBars, yearShape } from '#web/ui/art/poster-bars.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { planNames } from '#web/features/billing/plans/plan-texts.ts';
import {
  describeStatus,
  formatNearDay,
  useDateContext,
} from '#web/features/billing/subscription-texts.ts';
import { BigAmount } from './big-amount.tsx';

function Panel({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="flex flex-col bg-surface px-4 pt-6 pb-7 md:px-8 md:pt-7">
      <h2 className="type-label">{title}</h2>
      {children}
    </section>
  );
}

function describeNoPayment({ status, canResume, isHeld }: Subscription): string {
  if (isHeld) return 'On hold until your bank has decided about a payment.';
  if (status === 'complimentary')
    return 'You have complimentary access. You won’t be charged when it ends.';
  return `You won’t be charged again.${canResume ? ' You can resume until your access ends.' : ''}`;
}

const gridClass =
  'mt-7 grid gap-0.5 md:mx-gutter @4xl/content:grid-cols-[minmax(0,1.45fr)_minmax(0,1fr)]';

export function PlanPanels({ subscription }: { subscription: Subscription }) {
  const dates = useDateContext();
  const { hasAccess } = subscription;
  return (
    <div className={gridClass}>
      <Panel title="Plan">
        <div className="mt-5 flex flex-1 items-end gap-7">
          <p className="type-display text-[min(4rem,17vw)] md:text-[5.5rem]">
            {hasAccess ? 'Premium' : 'Free'}
          </p>
          <div className="h-20 min-w-0 flex-1 md:h-28">
            <PosterBars bars={yearShape().map((bar) => ({ ...bar, isOutline: !hasAccess }))} />
          </div>
        </div>
        <p className="mt-5 text-16 text-text-2">{describeStatus(subscription, dates)}</p>
      </Panel>
      <PaymentPanel subscription={subscription} />
    </div>
  );
}

/** What is charged next. */
function PaymentPanel({ subscription }: { subscription: Subscription }) {
  const dates = useDateContext();
  const { nextPayment, currency, isHeld } = subscription;
  if (nextPayment && !isHeld)
    return (
      <AmountPanel
        title={nextPayment.isFirst ? 'First payment' : 'Next payment'}
        amount={formatMoney(nextPayment.amount, currency)}
      >
        Due {formatNearDay(nextPayment.at, dates)} ({planNames[nextPayment.plan].toLowerCase()})
      </AmountPanel>
    );
  return (
    <Panel title={isHeld ? 'Next payment' : 'No payments due'}>
      <p className="mt-5 max-w-[34ch] text-16 text-text-2">{describeNoPayment(subscription)}</p>
    </Panel>
  );
}

type AmountPanelProps = { title: string; amount: string; children: ReactNode };

function AmountPanel({ title, amount, children }: AmountPanelProps) {
  return (
    <Panel title={title}>
      <p className="mt-5 flex flex-1 items-end gap-1.5 text-text">
        <BigAmount>{amount}</BigAmount>
      </p>
      <p className="mt-5 text-16 text-text-2">{children}</p>
    </Panel>
  );
}

export function PlanPanelsSkeleton() {
  return (
    <div role="status" aria-label="Loading your subscription" className={gridClass}>
      {[0, 1].map((panel) => (
        <div key={panel} className="bg-surface px-4 pt-6 pb-7 md:px-8 md:pt-7">
          <Skeleton className="h-3 w-16" />
          <Skeleton className="mt-6 h-16 w-[60%] md:h-24" />
          <Skeleton className="mt-6 h-4 w-[40%]" />
        </div>
      ))}
    </div>
  );
}

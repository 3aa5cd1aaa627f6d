import type { ReactNode } from 'react';
import type { SubscriberPage } from '#contract/admin/subscribers.ts';
import { formatMoney, formatShortDate } from '#web/lib/format/format.ts';
import { describePaid } from './describe-paid.ts';

const STATUS: Record<SubscriberPage['subscription']['status'], string> = {
  free: 'Free',
  trial: 'Trial',
  active: 'Premium, renewing',
  cancelled: 'Cancelled, active until expiry',
  late: 'Payment overdue',
  needs_member: 'Waiting for the member to confirm',
  complimentary: 'Complimentary Premium',
  'paid-once': 'Paid once, doesn’t renew',
  ended: 'Ended',
};

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="bg-surface p-5">
      <dt className="text-13 text-text-2">{label}</dt>
      <dd className="mt-1 type-section text-22 break-words">{children}</dd>
    </div>
  );
}

export function UserSummary({ page: { subscription, subscriber } }: { page: SubscriberPage }) {
  const { plan, nextPayment, status, currency } = subscription;
  const paid = describePaid(subscriber);
  return (
    <dl className="grid gap-0.5 overflow-hidden rounded-panel @lg/content:grid-cols-2 @5xl/content:grid-cols-4">
      <Fact label="Plan">
        {!subscription.hasAccess && subscription.renews && !subscription.problem
          ? 'No access, still renewing'
          : STATUS[status]}
        {plan && <span className="block text-14 text-text-2">{plan}</span>}
      </Fact>
      <Fact label={paid.label}>{paid.text}</Fact>
      <Fact label="Next payment">
        {nextPayment
          ? `${formatMoney(nextPayment.amount, currency)}, ${formatShortDate(nextPayment.at)}`
          : 'None'}
      </Fact>
      <Fact label="Joined">{formatShortDate(subscriber.createdAt)}</Fact>
    </dl>
  );
}

import type { ProviderSubscriptionItem } from '#contract/admin/subscribers.ts';
import { CURRENCY } from '#contract/rules/plans.ts';
import { formatMoney, formatShortDate } from '#web/lib/format.ts';
import { Button } from '#web/ui/button.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { rowClass, UserList } from './user-lists.tsx';

const STATUS: Record<ProviderSubscriptionItem['status'], string> = {
  active: 'Renews',
  ending: 'Ends after the paid period',
  late: 'Payment failed',
  ended: 'Ended',
};

const NOTES: Record<NonNullable<ProviderSubscriptionItem['note']>, string> = {
  duplicate: 'Duplicate',
  replaced: 'Replaced by another',
  'other-provider': 'The site no longer uses this provider: end it there',
};

function describeNext({ plan, nextPayment, note }: ProviderSubscriptionItem): string {
  const parts = [
    plan,
    nextPayment &&
      `next charge ${nextPayment.amount === null ? '' : `${formatMoney(nextPayment.amount, CURRENCY)} `}on ${formatShortDate(nextPayment.at)}`,
    note && NOTES[note],
  ];
  return parts.filter(Boolean).join(', ');
}

type Props = {
  subscriptions: readonly ProviderSubscriptionItem[];
  onEnd: (subscription: ProviderSubscriptionItem) => void;
};

/** What the payment provider has for a member: usually one, more after changes of plan. */
export function ProviderSubscriptions({ subscriptions, onEnd }: Props) {
  return (
    <UserList
      title="At the payment provider"
      id="provider-subscriptions"
      empty="No subscription there."
      isEmpty={subscriptions.length === 0}
    >
      {subscriptions.map((subscription) => (
        <li key={`${subscription.provider}:${subscription.id}`} className={rowClass}>
          <span className="min-w-0 font-medium break-all">
            {subscription.id}
            <span className="block text-13 font-normal text-text-2">
              {describeNext(subscription)}
            </span>
          </span>
          <span className="flex items-center gap-3">
            <Tag>{STATUS[subscription.status]}</Tag>
            {subscription.canEnd && (
              <Button
                variant="line"
                size="sm"
                aria-label={`End ${subscription.id}`}
                onClick={() => onEnd(subscription)}
              >
                End
              </Button>
            )}
          </span>
        </li>
      ))}
    </UserList>
  );
}

import type { SubscriptionItem } from '#contract/admin/subscribers.ts';
import { CURRENCY } from '#contract/rules/plans.ts';
import { formatMoney, formatShortDate } from '#web/lib/format/format.ts';
import { Tag } from '#web/ui/tag.tsx';
import { rowClass, UserList } from './user-lists.tsx';

const STATUS: Record<SubscriptionItem['status'], string> = {
  trial: 'Before the first payment',
  active: 'Renews',
  late: 'Payment failed',
  needs_member: 'The member has to confirm',
  ending: 'Ends after the paid period',
  ended: 'Ended',
};

const PLANS: Record<SubscriptionItem['plan'], string> = { monthly: 'Monthly', annual: 'Annual' };

/** Since when, what it charges next, and what is wrong with it. */
export function describeSubscription(item: SubscriptionItem): string {
  const { nextPayment, failure, lateSince, isHeld, startedAt, endedAt, provider } = item;
  const parts = [
    endedAt
      ? `${formatShortDate(startedAt)} to ${formatShortDate(endedAt)}`
      : `since ${formatShortDate(startedAt)}`,
    nextPayment &&
      !lateSince &&
      `next charge ${formatMoney(nextPayment.amount, CURRENCY)} on ${formatShortDate(nextPayment.at)}`,
    nextPayment &&
      lateSince &&
      `${formatMoney(nextPayment.amount, CURRENCY)} owed since ${formatShortDate(lateSince)}`,
    provider,
  ];
  const why = lateSince && failure ? ` ${failure}` : '';
  const held = isHeld ? ' Nothing is charged until the dispute is decided.' : '';
  return `${parts.filter(Boolean).join(', ')}.${why}${held}`;
}

/** A member's subscriptions, the running one first. */
export function SubscriptionList({
  subscriptions,
}: {
  subscriptions: readonly SubscriptionItem[];
}) {
  return (
    <UserList
      title="Subscriptions"
      id="subscriptions"
      empty="Never subscribed."
      isEmpty={subscriptions.length === 0}
    >
      {subscriptions.map((subscription) => (
        <li key={subscription.id} className={rowClass}>
          <span className="min-w-0 flex-[1_1_14rem] font-medium">
            {PLANS[subscription.plan]}
            <span className="block text-13 font-normal text-text-2">
              {describeSubscription(subscription)}
            </span>
          </span>
          <span className="flex flex-wrap gap-2">
            {subscription.isHeld && <Tag>On hold</Tag>}
            <Tag>{STATUS[subscription.status]}</Tag>
          </span>
        </li>
      ))}
    </UserList>
  );
}

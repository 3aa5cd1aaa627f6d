import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import type { Subscriber, SubscriberFilter } from '#contract/admin/subscribers.ts';
import { formatShortDate } from '#web/lib/format/format.ts';
import { Avatar } from '#web/ui/avatar.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { PagedList } from '#web/ui/paged-list.tsx';
import { PanelRowsSkeleton } from '#web/ui/panel-skeleton.tsx';
import { subscriberPagesQuery } from './api.ts';
import { Tag } from '#web/ui/tag.tsx';

function SubscriberRow({ subscriber }: { subscriber: Subscriber }) {
  const { id, username, email, createdAt, avatarUrl } = subscriber;
  return (
    <li className="border-t border-line first:border-0">
      <Link
        href={`/admin/subscribers/${id}`}
        className="grid min-h-[72px] grid-cols-[auto_minmax(0,1fr)] items-center gap-x-3.5 gap-y-1 px-3 py-2 transition-colors hover:bg-raised @lg/content:grid-cols-[auto_minmax(0,1fr)_auto] @5xl/content:min-h-16 @5xl/content:grid-cols-[auto_minmax(0,1fr)_180px_220px] @5xl/content:px-5"
      >
        <Avatar user={{ username, avatarUrl }} />
        <span className="min-w-0">
          <span className="block truncate font-semibold">{username}</span>
          <span className="block truncate text-13 text-text-2">{email}</span>
        </span>
        <span className="text-13 text-text-2 tabular-nums @max-lg/content:col-start-2 @lg/content:@max-5xl/content:text-right">
          {summarisePaid(subscriber)}
          <span className="block text-text-3">Joined {formatShortDate(createdAt)}</span>
        </span>
        <span className="@max-5xl/content:col-start-2">
          <SubscriberTags subscriber={subscriber} />
        </span>
      </Link>
    </li>
  );
}

type SubscriberListProps = { filter: SubscriberFilter; q: string };

export function SubscriberList({ filter, q }: SubscriberListProps) {
  return (
    <PagedList
      label="Members"
      className="@double/content:grid @double/content:grid-cols-2 @double/content:gap-x-0.5"
      query={useInfiniteQuery(subscriberPagesQuery(filter, q))}
      failed="Couldn’t load members."
      skeleton={<PanelRowsSkeleton rows={8} hasPicture endLines={3} />}
      empty={
        <EmptyState
          glyph="nothing"
          title="No members found"
          text={q ? 'No name or e-mail matches.' : 'No members with this status.'}
        />
      }
      renderItem={(subscriber) => <SubscriberRow key={subscriber.id} subscriber={subscriber} />}
    />
  );
}

type Paid = { label: string; text: string };

/** Until when a member has paid, or what is true instead. */
export function describePaid({ paidThrough, basis, refundedAt }: Subscriber): Paid {
  const label = basis === 'free' ? 'Free access until' : 'Paid until';
  if (paidThrough !== null) return { label, text: formatShortDate(paidThrough) };
  if (refundedAt !== null)
    return { label: 'Paid', text: `Nothing now, refunded on ${formatShortDate(refundedAt)}` };
  return { label: 'Paid', text: basis === 'ended' ? 'Nothing now, ended' : 'Never' };
}

/** The same in one line. */
export function summarisePaid(subscriber: Subscriber): string {
  const { paidThrough, access, refundedAt, basis } = subscriber;
  const { label, text } = describePaid(subscriber);
  if (paidThrough !== null) return `${access === 'active' ? label : 'Expired'} ${text}`;
  if (refundedAt !== null) return `Refunded ${formatShortDate(refundedAt)}`;
  return basis === 'ended' ? 'Ended, nothing paid now' : 'Never paid';
}

const ACCESS: Record<Subscriber['access'], string> = {
  active: 'Active',
  grace: 'Grace period',
  free: 'Free',
};

export function SubscriberTags({ subscriber }: { subscriber: Subscriber }) {
  return (
    <span className="flex flex-wrap gap-1.5">
      <Tag>{ACCESS[subscriber.access]}</Tag>
      {subscriber.isAdmin && <Tag>Administrator</Tag>}
      {subscriber.isHelper && <Tag>Helper</Tag>}
      {!subscriber.isEmailVerified && <Tag>E-mail not confirmed</Tag>}
      {subscriber.isDisabled && <Tag>Disabled</Tag>}
    </span>
  );
}

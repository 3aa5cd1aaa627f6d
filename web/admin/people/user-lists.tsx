import {
  useInfiniteQuery,
  type InfiniteData,
  type UseInfiniteQueryResult,
} from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { Invoice } from '#contract/paying/invoices.ts';
import { formatDuration } from '#contract/rules/time.ts';
import type { AppPassword } from '#contract/clients/app-passwords.ts';
import type { PodcastFeedUse } from '#contract/clients/podcasts.ts';
import type { SubscriberPage } from '#contract/admin/subscribers.ts';
import {
  formatCount,
  formatDateTime,
  formatMoney,
  formatShortDate,
} from '#web/lib/format/format.ts';
import { Button } from '#web/ui/button.tsx';
import { Loaded } from '#web/ui/loaded.tsx';
import { SectionHead } from '#web/ui/page-head.tsx';
import { PanelRowsSkeleton } from '#web/ui/panel-skeleton.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { pagedQuery } from '#web/lib/api/api-query.ts';

export const rowClass =
  'flex min-h-14 flex-wrap items-center justify-between gap-x-4 gap-y-1 border-t border-line px-5 py-2.5 first:border-0';

type ListProps = {
  title: string;
  id: string;
  empty: string;
  isEmpty: boolean;
  end?: ReactNode;
  children: ReactNode;
};

export function UserList({ title, id, empty, isEmpty, end, children }: ListProps) {
  return (
    <section aria-labelledby={id}>
      <SectionHead id={id} title={title} end={end} />
      {isEmpty ? (
        <p className="text-text-2">{empty}</p>
      ) : (
        <ul aria-labelledby={id} className="rounded-panel bg-surface">
          {children}
        </ul>
      )}
    </section>
  );
}

type PagedUserListProps<Item> = {
  title: string;
  /** What the texts call the items, and the id of the heading. */
  name: string;
  query: UseInfiniteQueryResult<InfiniteData<{ items: Item[] }>>;
  renderItem: (item: Item) => ReactNode;
};

function PagedUserList<Item>({ title, name, query, renderItem }: PagedUserListProps<Item>) {
  const { hasNextPage, fetchNextPage } = query;
  return (
    <Loaded
      query={query}
      failed={`Couldn’t load ${name}.`}
      skeleton={<PanelRowsSkeleton rows={3} />}
    >
      {({ pages }) => (
        <UserList
          title={title}
          id={name}
          empty={`No ${name} yet.`}
          isEmpty={pages.every(({ items }) => items.length === 0)}
          end={
            hasNextPage && (
              <Button variant="line" size="sm" onClick={() => void fetchNextPage()}>
                Older {name}
              </Button>
            )
          }
        >
          {pages.flatMap(({ items }) => items).map(renderItem)}
        </UserList>
      )}
    </Loaded>
  );
}

export function DeviceList({ sessions }: Pick<SubscriberPage, 'sessions'>) {
  return (
    <UserList
      title="Devices"
      id="devices"
      empty="No active sessions."
      isEmpty={sessions.length === 0}
    >
      {sessions.map((session) => (
        <li key={session.id} className={rowClass}>
          <span className="font-medium">{session.device}</span>
          <span className="text-13 text-text-2">
            Last seen {formatDateTime(session.lastSeenAt)}, logged in{' '}
            {formatShortDate(session.createdAt)}
          </span>
        </li>
      ))}
    </UserList>
  );
}

type PodcastUseProps = { feed: PodcastFeedUse; onTurnOff: () => void };

/** How the member's private podcast feed is used; nobody but the member sees its address. */
export function PodcastUse({ feed, onTurnOff }: PodcastUseProps) {
  const { createdAt, lastUsedAt, networks, isShared } = feed;
  return (
    <UserList title="Podcast feed" id="podcast-feed" empty="" isEmpty={false}>
      <li className={rowClass}>
        <span className="flex flex-wrap items-center gap-2 font-medium">
          {formatCount(networks, 'network')} in seven days
          {isShared && <Tag>Perhaps shared</Tag>}
        </span>
        <span className="text-13 text-text-2">
          {lastUsedAt === null ? 'Not used yet' : `Last used ${formatDateTime(lastUsedAt)}`},
          address from {formatShortDate(createdAt)}
        </span>
        <Button variant="line" size="sm" aria-label="Turn off podcast feed" onClick={onTurnOff}>
          Turn off
        </Button>
      </li>
    </UserList>
  );
}

/** The member's music apps. Their passwords end with those of the account, and by the member's hand. */
export function MusicAppList({ apps }: { apps: readonly AppPassword[] }) {
  return (
    <UserList title="Music apps" id="music-apps" empty="" isEmpty={false}>
      {apps.map(({ id, name, createdAt, lastUsedAt, networks, isShared }) => (
        <li key={id} className={rowClass}>
          <span className="flex flex-wrap items-center gap-2 font-medium">
            {name}: {formatCount(networks, 'network')} in seven days
            {isShared && <Tag>Perhaps shared</Tag>}
          </span>
          <span className="text-13 text-text-2">
            {lastUsedAt === null ? 'Not used yet' : `Last used ${formatDateTime(lastUsedAt)}`},
            added {formatShortDate(createdAt)}
          </span>
        </li>
      ))}
    </UserList>
  );
}

const INVOICE_STATUS: Record<Invoice['status'], string> = {
  paid: 'Paid',
  refunded: 'Refunded',
  'partly-refunded': 'Partly refunded',
  disputed: 'Disputed',
  'charged-back': 'Charged back',
};

type PaymentListProps = {
  id: string;
  onRefund: (invoice: Invoice) => void;
  renderCreditNotes: (notes: Invoice['creditNotes']) => ReactNode;
};

export function PaymentList({ id, onRefund, renderCreditNotes }: PaymentListProps) {
  return (
    <PagedUserList
      title="Payments"
      name="payments"
      query={useInfiniteQuery(
        pagedQuery('GET /api/admin/subscribers/:id/invoices', {
          params: { id },
          query: { limit: 20 },
        }),
      )}
      renderItem={(invoice) => (
        <li key={invoice.id} className={rowClass}>
          <span className="font-medium tabular-nums">
            {formatMoney(invoice.amount, invoice.currency)}
            <span className="block text-13 font-normal text-text-2">
              <Link href={`/admin/invoices/${invoice.id}`} className="underline hover:text-text">
                Invoice {invoice.number}
              </Link>
              , {formatShortDate(invoice.at)}, {invoice.plan}
            </span>
          </span>
          <span className="flex items-center gap-3">
            <Tag>{INVOICE_STATUS[invoice.status]}</Tag>
            {invoice.refunded < invoice.amount &&
              !['disputed', 'charged-back'].includes(invoice.status) && (
                <Button
                  variant="line"
                  size="sm"
                  aria-label={`Refund invoice ${invoice.number}`}
                  onClick={() => onRefund(invoice)}
                >
                  Refund
                </Button>
              )}
          </span>
          {invoice.creditNotes.length > 0 && (
            <div className="w-full">{renderCreditNotes(invoice.creditNotes)}</div>
          )}
        </li>
      )}
    />
  );
}

export function PlaysList({ id }: { id: string }) {
  return (
    <PagedUserList
      title="Plays"
      name="plays"
      query={useInfiniteQuery(
        pagedQuery('GET /api/admin/subscribers/:id/plays', {
          params: { id },
          query: { limit: 10 },
        }),
      )}
      renderItem={(play) => (
        <li key={play.id} className={rowClass}>
          <span className="min-w-0">
            <Link href={`/track/${play.trackId}`} className="font-medium hover:underline">
              {play.title}
            </Link>
            <span className="block text-13 text-text-2">
              Week {play.week}, {play.year}
            </span>
          </span>
          <span className="text-13 text-text-2 tabular-nums">
            {formatDateTime(play.at)}, {formatDuration(play.listenedMs / 1000)} heard
            {play.isCounted ? '' : ' (not counted)'}
          </span>
        </li>
      )}
    />
  );
}

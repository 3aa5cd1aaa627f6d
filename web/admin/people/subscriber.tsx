import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useParams } from 'wouter';
import { AuditList } from '#web/admin/site/audit/audit-list.tsx';
import { IssueRow } from '#web/admin/money/payment-issues/issue-list.tsx';
import { CreditNoteLinks } from '#web/features/billing/documents/document-page.tsx';
import { AccessCheck } from './access-check.tsx';
import { apiQuery } from '#web/lib/api/api-query.ts';
import { DepartureList } from './departure-list.tsx';
import { MailState } from './mail-state.tsx';
import { SubscriptionList } from './subscription-list.tsx';
import { UserActionDialog, UserActions, type UserAction } from './user-actions.tsx';
import { DeviceList, PaymentList, PlaysList, MusicAppList, PodcastUse } from './user-lists.tsx';
import { SubscriberTags, describePaid } from './subscriber-list.tsx';
import { useCurrentUser } from '#web/lib/api/current-user.ts';
import { formatShortDate, formatMoney } from '#web/lib/format/format.ts';
import { Loaded } from '#web/ui/loaded.tsx';
import { Notice } from '#web/ui/notice.tsx';
import type { SubscriberPage } from '#contract/admin/subscribers.ts';
import { SectionHead } from '#web/ui/page-head.tsx';
import { AdminFrame } from '../admin-frame.tsx';
import { LeadSkeleton, MemberSkeleton } from '../admin-skeletons.tsx';

export function Page() {
  const { id } = useParams<{ id: string }>();
  const query = useQuery(apiQuery('GET /api/admin/subscribers/:id', { params: { id } }));
  const { data, error } = query;
  return (
    <AdminFrame
      title={data?.subscriber.username ?? 'Member'}
      lead={data?.subscriber.email ?? (!error && <LeadSkeleton />)}
    >
      <Loaded
        query={query}
        failed="Couldn’t load this member."
        missing={{
          title: 'Member not found',
          text: 'The account was deleted or never existed.',
          link: { href: '/admin/subscribers', label: 'All members' },
        }}
        skeleton={<MemberSkeleton />}
      >
        {(page) => <Member page={page} />}
      </Loaded>
    </AdminFrame>
  );
}

function Member({ page: data }: { page: SubscriberPage }) {
  const { id } = data.subscriber;
  const { user } = useCurrentUser();
  const [action, setAction] = useState<UserAction | null>(null);
  const [now] = useState(() => Date.now());
  return (
    <>
      <div className="flex flex-col gap-4">
        <SubscriberTags subscriber={data.subscriber} />
        {data.disabled && (
          <Notice tone="warning" title={`Disabled since ${formatShortDate(data.disabled.at)}`}>
            {data.disabled.reason}
          </Notice>
        )}
        <MailState page={data} />
        <UserActions page={data} isSelf={user?.id === id} onAction={setAction} />
      </div>
      <UserSummary page={data} />
      {data.issues.length > 0 && (
        <section aria-labelledby="issues">
          <SectionHead id="issues" title="Payment issues" />
          <ul aria-labelledby="issues" className="rounded-panel bg-surface">
            {data.issues.map((issue) => (
              <IssueRow key={issue.id} issue={issue} now={now} />
            ))}
          </ul>
        </section>
      )}
      <div className="grid items-start gap-x-14 gap-y-8 *:min-w-0 @double/content:grid-cols-2">
        <AccessCheck id={id} />
        <SubscriptionList subscriptions={data.subscriptions} />
        {data.departures.length > 0 && <DepartureList departures={data.departures} />}
        <PaymentList
          id={id}
          onRefund={(invoice) => setAction({ kind: 'refund', invoice })}
          renderCreditNotes={(notes) => <CreditNoteLinks notes={notes} basePath="/admin" />}
        />
        <DeviceList sessions={data.sessions} />
        {data.podcastFeed && (
          <PodcastUse
            feed={data.podcastFeed}
            onTurnOff={() => setAction({ kind: 'turn-off-feed' })}
          />
        )}
        {data.musicApps.length > 0 && <MusicAppList apps={data.musicApps} />}
        <PlaysList id={id} />
        <section aria-labelledby="activity" className="col-span-full">
          <SectionHead id="activity" title="Activity" />
          <AuditList filter={{ subject: id }} />
        </section>
      </div>
      {action && <UserActionDialog page={data} action={action} onClose={() => setAction(null)} />}
    </>
  );
}

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

function UserSummary({ page: { subscription, subscriber } }: { page: SubscriberPage }) {
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

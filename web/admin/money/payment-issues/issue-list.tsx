import { useInfiniteQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import type { PaymentIssue } from '#contract/admin/payment-issues.ts';
import { formatMoney } from '#web/lib/format/format.ts';
import { showErrorToast, showToast } from '#web/lib/store/toasts.ts';
import { useRefreshOn } from '#web/lib/api/use-refresh-on.ts';
import { Checkbox } from '#web/ui/forms/field.tsx';
import { Button } from '#web/ui/button.tsx';
import { ReasonDialog } from '#web/ui/overlays/reason-dialog.tsx';
import { PagedList } from '#web/ui/paged-list.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { TimeAgo } from '#web/ui/time-ago.tsx';
import { describeDeadline, describeRemedy, issueTitles, nameProvider } from './describe-issue.ts';
import { call } from '#web/lib/api/api.ts';
import { pagedQuery, refreshPaths } from '#web/lib/api/api-query.ts';

const PAYMENT_ISSUES_PATH = '/api/admin/payment-issues';

export const paymentIssuesQuery = (state: 'open' | 'closed') =>
  pagedQuery('GET /api/admin/payment-issues', {
    query: { state, limit: 50 },
  });

const closeIssue = ({ id }: PaymentIssue, note: string) =>
  call('POST /api/admin/payment-issues/:id/close', { params: { id }, body: { note } });

/** Whether the subscription goes on if a dispute is lost. */
const keepSubscription = ({ id }: PaymentIssue, keepsSubscription: boolean) =>
  call('PUT /api/admin/payment-issues/:id/keeps-subscription', {
    params: { id },
    body: { keepsSubscription },
  });

/** Also reloads the pages of members, which show their issues. */
const refreshIssues = (client: QueryClient) =>
  refreshPaths(client, PAYMENT_ISSUES_PATH, '/api/admin/subscribers');

/** The amount, the member and where to find it at the provider. */
function IssueFacts({ issue }: { issue: PaymentIssue }) {
  const { user, amount, currency, provider, chargeId, reference } = issue;
  const id = chargeId ?? reference;
  if (amount === null && user === null && id === null) return null;
  return (
    <p className="flex flex-wrap gap-x-3 text-13 break-all text-text-2 tabular-nums">
      {amount !== null && <span>{formatMoney(amount, currency ?? '')}</span>}
      {user && (
        <Link href={`/admin/subscribers/${user.id}`} className="underline">
          {user.name}
        </Link>
      )}
      {id !== null && (
        <span>
          {id} ({nameProvider(provider)})
        </span>
      )}
    </p>
  );
}

function KeepChoice({ issue }: { issue: PaymentIssue }) {
  const client = useQueryClient();
  const choose = async (keeps: boolean) => {
    try {
      await keepSubscription(issue, keeps);
      await refreshIssues(client);
      showToast({
        title: keeps
          ? 'The subscription goes on even if the dispute is lost'
          : 'The subscription ends if the dispute is lost',
      });
    } catch (error) {
      showErrorToast(error, 'Couldn’t save your choice.');
    }
  };
  return (
    <Checkbox
      label="Keep the subscription even if the dispute is lost"
      checked={issue.keepsSubscription}
      onChange={(event) => void choose(event.target.checked)}
    />
  );
}

type IssueRowProps = { issue: PaymentIssue; now: number; onClose?: () => void };

export function IssueRow({ issue, now, onClose }: IssueRowProps) {
  const { kind, reason, openedAt, closedAt, closedBy, note, user } = issue;
  const deadline = describeDeadline(issue, now);
  const isOpen = closedAt === null;
  return (
    <li className="grid items-start gap-x-6 gap-y-3 border-t border-line px-5 py-4 first:border-0 @2xl/content:grid-cols-[minmax(0,1fr)_auto]">
      <div className="grid min-w-0 gap-1.5">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <strong className="font-semibold">{issueTitles[kind]}</strong>
          {isOpen && deadline && <Tag>{deadline}</Tag>}
          <span className="text-13 text-text-3">
            <TimeAgo at={openedAt} />
          </span>
        </p>
        <p>{reason}</p>
        <IssueFacts issue={issue} />
        {isOpen && <p className="max-w-[72ch] text-text-2">{describeRemedy(issue)}</p>}
        {isOpen && kind === 'dispute' && user && <KeepChoice issue={issue} />}
        {!isOpen && (
          <p className="text-13 text-text-2">
            Closed <TimeAgo at={closedAt} />
            {closedBy && ` by ${closedBy.name ?? closedBy.id}`}
            {note && `: ${note}`}
          </p>
        )}
      </div>
      {isOpen && onClose && (
        <Button
          variant="line"
          size="sm"
          className="justify-self-start"
          aria-label={`Close: ${issueTitles[kind]}`}
          onClick={onClose}
        >
          Close
        </Button>
      )}
    </li>
  );
}

export function IssueList({ state }: { state: 'open' | 'closed' }) {
  const client = useQueryClient();
  const [now] = useState(() => Date.now());
  const [closing, setClosing] = useState<PaymentIssue | null>(null);
  useRefreshOn('admin:payment-issues', PAYMENT_ISSUES_PATH);
  return (
    <>
      <PagedList
        label={state === 'open' ? 'Open issues' : 'Closed issues'}
        query={useInfiniteQuery(paymentIssuesQuery(state))}
        failed="Couldn’t load payment issues."
        empty={
          state === 'open'
            ? 'Nothing to do. Every payment is accounted for.'
            : 'Nothing closed yet.'
        }
        renderItem={(issue) => (
          <IssueRow key={issue.id} issue={issue} now={now} onClose={() => setClosing(issue)} />
        )}
      />
      {closing && (
        <ReasonDialog
          title="Close this issue"
          description="It moves to the closed ones. It opens again only if its cause goes away and comes back."
          confirmLabel="Close issue"
          reasonLabel="Note"
          failed="Couldn’t close the issue."
          onClose={() => setClosing(null)}
          onConfirm={async (note) => {
            await closeIssue(closing, note);
            await refreshIssues(client);
            showToast({ title: 'Issue closed' });
          }}
        />
      )}
    </>
  );
}

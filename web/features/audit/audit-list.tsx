import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import type { AuditEntry } from '#contract/admin/audit.ts';
import { describeFailure } from '#web/lib/api.ts';
import { formatDateTime } from '#web/lib/format.ts';
import { Button } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { RowsSkeleton } from '#web/ui/skeleton.tsx';
import { describeAction, describeActor, describeChange } from './describe-action.ts';
import { auditQuery, type AuditFilter } from './api.ts';

function Change({ change }: { change: AuditEntry['changes'][number] }) {
  const { label, before, after } = describeChange(change);
  return (
    <li className="break-words">
      <span className="text-text-3">{label}:</span>{' '}
      {before !== null && <s className="text-text-3">{before}</s>} {after}
    </li>
  );
}

function Entry({ entry }: { entry: AuditEntry }) {
  const { subject } = entry;
  const pages: Record<string, string> = { user: '/admin/subscribers', track: '/admin/tracks/edit' };
  const page = subject.name === null ? undefined : pages[subject.kind];
  return (
    <li className="flex flex-wrap justify-between gap-x-6 gap-y-1 border-t border-line px-5 py-3 first:border-0">
      <div className="min-w-0">
        <p className="font-medium">
          {page ? (
            <Link href={`${page}/${subject.id}`} className="hover:underline">
              {describeAction(entry)}
            </Link>
          ) : (
            describeAction(entry)
          )}
        </p>
        {entry.because && <p className="text-text-2">{entry.because}</p>}
        {entry.changes.length > 0 && (
          <ul className="text-13 text-text-2">
            {entry.changes.map((change) => (
              <Change key={change.field} change={change} />
            ))}
          </ul>
        )}
      </div>
      <p className="text-13 text-text-2 tabular-nums">
        {formatDateTime(entry.at)}
        <span className="block text-text-3">by {describeActor(entry)}</span>
      </p>
    </li>
  );
}

export function AuditList({ filter }: { filter: AuditFilter }) {
  const { data, error, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    auditQuery(filter),
  );
  if (error && !data)
    return <Notice tone="danger" title={describeFailure(error, 'Couldn’t load the audit log.')} />;
  if (!data) return <RowsSkeleton rows={3} />;
  const entries = data.pages.flatMap(({ items }) => items);
  if (entries.length === 0) return <p className="text-text-2">No activity yet.</p>;
  return (
    <div className="flex flex-col items-start gap-4">
      <ol aria-label="Audit log" className="w-full rounded-panel bg-surface">
        {entries.map((entry) => (
          <Entry key={entry.id} entry={entry} />
        ))}
      </ol>
      {hasNextPage && (
        <Button variant="line" disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          Show more
        </Button>
      )}
    </div>
  );
}

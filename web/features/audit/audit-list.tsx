import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import type { AuditEntry } from '#contract/admin/audit.ts';
import { formatDateTime } from '#web/lib/format.ts';
import { PagedList } from '#web/ui/paged-list.tsx';
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
  return (
    <PagedList
      label="Audit log"
      query={useInfiniteQuery(auditQuery(filter))}
      failed="Couldn’t load the audit log."
      empty="No activity yet."
      renderItem={(entry) => <Entry key={entry.id} entry={entry} />}
    />
  );
}

import { useInfiniteQuery } from '@tanstack/react-query';
import { Fragment } from 'react';
import { Link } from 'wouter';
import type { AUDIT_SUBJECTS, AuditEntry } from '#contract/admin/audit.ts';
import { PagedList } from '#web/ui/paged-list.tsx';
import { TimeAgo } from '#web/ui/time-ago.tsx';
import { describeEntry } from './describe-entry.ts';
import type { Difference } from './describe-value.ts';
import { pagedQuery } from '#web/lib/api/api-query.ts';

export type AuditFilter = { kind?: (typeof AUDIT_SUBJECTS)[number]; subject?: string };

/** `Title: “Night Bus” → “Night Bus Home”` */
function DifferenceLine({ difference: { label, before, after } }: { difference: Difference }) {
  return (
    <li className="line-clamp-4 wrap-anywhere whitespace-pre-line">
      <span className="text-text-3">
        {label.charAt(0).toUpperCase()}
        {label.slice(1)}:
      </span>{' '}
      {before !== null && after !== null && before === after ? (
        'replaced'
      ) : (
        <>
          <del className={`text-text-3 ${before === null ? 'no-underline' : ''}`}>
            <span className="sr-only">from </span>
            {before ?? 'none'}
          </del>
          <span aria-hidden> → </span>
          <ins className="no-underline">
            <span className="sr-only">to </span>
            {after ?? 'none'}
          </ins>
        </>
      )}
    </li>
  );
}

function Entry({ entry }: { entry: AuditEntry }) {
  const { parts, differences } = describeEntry(entry);
  return (
    <li className="grid gap-x-10 gap-y-1 border-t border-line px-4 py-3 first:border-0 @3xl/content:grid-cols-[minmax(0,1fr)_auto] @3xl/content:px-5 @double/content:grid-cols-[minmax(0,3fr)_minmax(0,3fr)_minmax(18rem,1fr)]">
      <div className="min-w-0 @double/content:contents">
        <div className="min-w-0">
          <p className="font-medium wrap-anywhere">
            {parts.map(({ text, href }, index) =>
              href ? (
                <Link
                  key={index}
                  href={href}
                  className="underline decoration-line-strong underline-offset-4 hover:decoration-text"
                >
                  {text}
                </Link>
              ) : (
                <Fragment key={index}>{text}</Fragment>
              ),
            )}
          </p>
          {entry.reason && <p className="wrap-anywhere text-text-2">{entry.reason}</p>}
        </div>
        <ul className="mt-1 min-w-0 text-13 text-text-2 empty:mt-0">
          {differences.map((difference) => (
            <DifferenceLine key={difference.field} difference={difference} />
          ))}
        </ul>
      </div>
      <p className="text-13 text-text-3 tabular-nums @3xl/content:text-right">
        <TimeAgo at={entry.at} />
      </p>
    </li>
  );
}

export function AuditList({ filter }: { filter: AuditFilter }) {
  return (
    <PagedList
      label="Audit log"
      query={useInfiniteQuery(
        pagedQuery('GET /api/admin/audit', { query: { limit: 20, ...filter } }),
      )}
      failed="Couldn’t load the audit log."
      empty="No activity yet."
      renderItem={(entry) => <Entry key={entry.id} entry={entry} />}
    />
  );
}

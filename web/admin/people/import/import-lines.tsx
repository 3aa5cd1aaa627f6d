import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { LineOutcome, type ImportLine, type MemberImport } from '#contract/admin/member-imports.ts';
import { formatNumber, formatShortDate } from '#web/lib/format/format.ts';
import { Select } from '#web/ui/forms/select.tsx';
import { SectionHead } from '#web/ui/page-head.tsx';
import { PagedList } from '#web/ui/paged-list.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { pagedQuery } from '#web/lib/api/api-query.ts';
import { outcomeLabels } from './words.ts';

type LineRowProps = { line: ImportLine; isDone: boolean };

function LineRow({ line, isDone }: LineRowProps) {
  const { email, name, outcome, note, paidUntil, isUnsubscribed, userId } = line;
  const facts = [
    paidUntil === null ? null : `Paid until ${formatShortDate(paidUntil)}`,
    isUnsubscribed ? 'Unsubscribed' : null,
    note,
  ].filter((fact) => fact !== null);
  return (
    <li className="grid grid-cols-[4ch_minmax(0,1fr)] items-center gap-x-4 gap-y-1 border-t border-line px-4 py-2.5 first:border-0 @3xl/content:grid-cols-[4ch_minmax(0,1fr)_minmax(0,1fr)_11rem] @3xl/content:px-5">
      <span className="text-right text-13 text-text-3 tabular-nums">
        <span className="sr-only">Line </span>
        {line.line}
      </span>
      <span className="min-w-0">
        <span className="block truncate font-medium">
          {userId ? (
            <Link
              href={`/admin/subscribers/${userId}`}
              className="underline decoration-line-strong underline-offset-4 hover:decoration-text"
            >
              {email}
            </Link>
          ) : (
            email || '(empty)'
          )}
        </span>
        {name && <span className="block truncate text-13 text-text-2">{name}</span>}
      </span>
      <span className="text-13 wrap-anywhere text-text-2 @max-3xl/content:col-start-2 @max-3xl/content:empty:hidden">
        {facts.join(' · ')}
      </span>
      <span className="@max-3xl/content:col-start-2">
        <Tag>{outcomeLabels[outcome][isDone ? 'done' : 'planned']}</Tag>
      </span>
    </li>
  );
}

/** Every line of the file with what happens to it, filtered by outcome. */
export function ImportLines({ members }: { members: MemberImport }) {
  const [outcome, setOutcome] = useState<LineOutcome | null>(null);
  const isDone = members.state === 'done';
  const options = LineOutcome.options.flatMap((value) => {
    const count = members.outcomes[value];
    const label = outcomeLabels[value][isDone ? 'done' : 'planned'];
    return count ? [{ value, label: `${label} (${formatNumber(count)})` }] : [];
  });
  return (
    <section aria-labelledby="lines">
      <SectionHead
        id="lines"
        title={isDone ? 'What happened' : 'What will happen'}
        end={
          <Select
            label="Filter by outcome"
            options={[
              { value: 'all', label: `All lines (${formatNumber(members.lines)})` },
              ...options,
            ]}
            value={outcome ?? 'all'}
            onValueChange={(value) => setOutcome(LineOutcome.safeParse(value).data ?? null)}
          />
        }
      />
      <PagedList
        label="Lines of the file"
        query={useInfiniteQuery(
          pagedQuery('GET /api/admin/member-imports/:id/lines', {
            params: { id: members.id },
            query: { limit: 50, ...(outcome && { outcome }) },
          }),
        )}
        failed="Couldn’t load the lines."
        empty="No lines to show. The lines of an import are deleted after 30 days."
        renderItem={(line) => <LineRow key={line.line} line={line} isDone={isDone} />}
      />
    </section>
  );
}

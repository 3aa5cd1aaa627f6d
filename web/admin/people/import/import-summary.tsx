import { Link } from 'wouter';
import type { ImportCheck, MemberImport } from '#contract/admin/member-imports.ts';
import { formatCount, formatNumber } from '#web/lib/format/format.ts';
import { Notice } from '#web/ui/notice.tsx';
import { TimeAgo } from '#web/ui/time-ago.tsx';
import { sourceNames } from './words.ts';

const MAX_NAMED = 8;

/** `“note”, “labels”, 3 more columns` */
function listNames(columns: readonly string[]): string {
  const more = columns.length - MAX_NAMED;
  const names = columns.slice(0, MAX_NAMED).map((name) => `“${name}”`);
  return [...names, ...(more > 0 ? [formatCount(more, 'more column')] : [])].join(', ');
}

/** What starting the import does, before anyone starts it. */
export function describePlan({
  import: { outcomes, withAccess },
  columns,
}: Pick<ImportCheck, 'import' | 'columns'>): string[] {
  const { new: added = 0, extended = 0 } = outcomes;
  const leftOut = columns.filter(({ role, samples }) => role === 'ignore' && samples.length > 0);
  const some = withAccess > 0 ? `, ${formatNumber(withAccess)} of them with access` : '';
  const access = withAccess === added ? ' with access' : some;
  return [
    added > 0
      ? `${formatCount(added, 'account')} will be created${access}. Each gets one e-mail with a link to set a password.`
      : 'No account will be created, and nobody gets an e-mail.',
    ...(extended > 0
      ? [`${formatCount(extended, 'existing member')} will get longer access, without an e-mail.`]
      : []),
    'Nobody loses access they already have, and nobody is charged.',
    ...(leftOut.length > 0
      ? [
          `Not imported: ${listNames(leftOut.map(({ name }) => name))}. Keep the file if you need them.`,
        ]
      : []),
  ];
}

/** While an import runs, and once it is done. */
export function ImportProgress({ members }: { members: MemberImport }) {
  const { state, done, lines, outcomes } = members;
  if (state === 'done') {
    const { new: added = 0, extended = 0 } = outcomes;
    return (
      <Notice tone="success" title={`${formatCount(added, 'member')} imported`}>
        {extended > 0 && `${formatCount(extended, 'existing member')} got longer access. `}
        You’ll find e-mails that are still waiting under <Link href="/admin/jobs">Jobs</Link>.
      </Notice>
    );
  }
  return (
    <div className="flex flex-col gap-2 rounded-panel bg-surface p-4">
      <p className="font-medium" role="status">
        Importing: {formatNumber(done)} of {formatCount(lines, 'line')}
      </p>
      <div
        role="progressbar"
        aria-label="Import"
        aria-valuenow={Math.floor((done / Math.max(1, lines)) * 100)}
        className="h-1.5 overflow-hidden rounded-pill bg-line-strong"
      >
        <div
          className="h-full rounded-pill bg-action transition-[width]"
          style={{ width: `${(done / Math.max(1, lines)) * 100}%` }}
        />
      </div>
      <p className="text-13 text-text-2">
        You can close this page. A restart of the server doesn’t interrupt the import either.
      </p>
    </div>
  );
}

/** One earlier import in the list. */
export function EarlierImport({ members }: { members: MemberImport }) {
  const { fileName, source, createdAt, outcomes, state } = members;
  const facts = [
    `From ${sourceNames[source]}`,
    `${formatNumber(outcomes.new ?? 0)} new`,
    ...(outcomes.extended ? [`${formatNumber(outcomes.extended)} extended`] : []),
    ...(state === 'running' ? ['still running'] : []),
  ];
  return (
    <li className="flex flex-wrap items-baseline justify-between gap-x-6 border-t border-line px-4 py-3 first:border-0 @2xl/content:px-5">
      <span className="min-w-0">
        <span className="block font-medium wrap-anywhere">{fileName}</span>
        <span className="block text-13 text-text-2">{facts.join(' · ')}</span>
      </span>
      <span className="text-13 text-text-3">
        <TimeAgo at={createdAt} />
      </span>
    </li>
  );
}

import { Link } from 'wouter';
import type { Dashboard } from '#contract/admin/reports.ts';
import { formatCount, formatDayAndTime } from '#web/lib/format/format.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { CircleAlert, CircleCheck, TriangleAlert } from '#web/ui/icons.ts';

/** Problems an administrator has to fix. */
export function AttentionPanel({ attention }: Pick<Dashboard, 'attention'>) {
  return (
    <section
      aria-labelledby="attention"
      className="flex min-w-0 flex-col gap-4 bg-surface p-4 @3xl/content:p-[22px]"
    >
      <h2 id="attention" className="text-13 font-medium text-text-2">
        Needs attention
      </h2>
      {attention.length === 0 && (
        <p className="flex items-center gap-2">
          <CircleCheck className="size-5 text-success" />
          All clear. Mixes, payments and jobs are running normally.
        </p>
      )}
      <ul className="flex flex-col gap-1">
        {attention.map(({ kind, text, href }) => (
          <li key={kind}>
            <Link
              href={href}
              className="flex min-h-11 items-center gap-2 font-medium hover:underline"
            >
              <TriangleAlert className="size-5 shrink-0 text-warning" />
              {text}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

type Release = Dashboard['releases'][number];

/** The state of a release, in one sentence. */
function describeState({ status, progress, failure, stage, publishAt }: Release): string {
  if (status === 'failed') return failure ?? 'Processing failed.';
  if (status === 'processing') return `Processing, ${progress}%.`;
  const at = publishAt === null ? '' : formatDayAndTime(publishAt);
  if (stage === 'draft') return 'Ready, not published.';
  if (stage === 'scheduled') return `Scheduled for ${at}.`;
  return stage === 'early' ? `Out for subscribers; public ${at}.` : `Published ${at}.`;
}

export function ReleasePanel({ dashboard }: { dashboard: Dashboard }) {
  const { week, releases } = dashboard;
  return (
    <section
      aria-labelledby="this-week"
      data-week={week.week}
      className="flex min-w-0 flex-col gap-4 bg-surface p-4 @3xl/content:p-[22px]"
    >
      <h2 id="this-week" className="text-13 font-medium text-text-2">
        This week’s release
      </h2>
      <div className="flex flex-wrap items-start gap-x-5 gap-y-2">
        <span className="type-numeral-small text-80">{week.week}</span>
        {releases.length === 0 ? (
          <EmptyState
            headingLevel={3}
            title="Nothing yet"
            text={`No mix for week ${week.week} yet.`}
            link={{ href: '/admin/upload', label: 'Upload a mix' }}
          />
        ) : (
          <ul className="flex min-w-0 flex-1 basis-40 flex-col gap-3">
            {releases.map((release) => (
              <li key={release.id} className="min-w-0">
                <Link
                  href={`/admin/tracks/edit/${release.id}`}
                  className="type-section block truncate hover:underline"
                >
                  {release.title}
                </Link>
                <p
                  className={`flex items-center gap-1.5 text-13 ${release.status === 'failed' ? 'text-danger' : 'text-text-2'}`}
                >
                  {release.status === 'failed' && <CircleAlert className="size-4 shrink-0" />}
                  {describeState(release)}
                </p>
                {release.stage === 'out' && (
                  <p className="text-13 text-text-3">{formatCount(release.plays, 'play')}</p>
                )}
              </li>
            ))}
          </ul>
        )}
      </div>
    </section>
  );
}

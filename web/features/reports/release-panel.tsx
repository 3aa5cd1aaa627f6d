import { CircleAlert } from '#web/ui/icons.ts';
import { Link } from 'wouter';
import type { Dashboard } from '#contract/reports.ts';
import { formatDayAndTime } from '#web/lib/format.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { buttonClass } from '#web/ui/button.tsx';
import { formatUnit } from './format-figure.ts';

type Release = Dashboard['releases'][number];

/** Where the release is on its way, in one sentence. */
function describeState({ status, progress, failure, stage, publishAt }: Release): string {
  if (status === 'failed') return failure ?? 'It could not be processed.';
  if (status === 'processing') return `Being processed, ${progress}% done.`;
  const at = publishAt === null ? '' : formatDayAndTime(publishAt);
  if (stage === 'draft') return 'Ready, and not published.';
  if (stage === 'scheduled') return `Goes out on ${at}.`;
  return stage === 'early' ? `Subscribers hear it; everybody from ${at}.` : `Out since ${at}.`;
}

/** This week’s mix: the one thing that must not be forgotten. */
export function ReleasePanel({ dashboard }: { dashboard: Dashboard }) {
  const { week, releases } = dashboard;
  return (
    <section
      aria-labelledby="this-week"
      data-week={week.week}
      className="flex flex-col gap-4 bg-surface p-4 md:p-[22px]"
    >
      <h2 id="this-week" className="text-13 font-medium text-text-2">
        This week’s release
      </h2>
      <div className="flex items-start gap-5">
        <span className="type-numeral-small text-80">{week.week}</span>
        {releases.length === 0 ? (
          <EmptyState
            headingLevel={3}
            title="Nothing yet"
            action={
              <Link href="/admin/upload" className={buttonClass({ variant: 'line' })}>
                Upload a mix
              </Link>
            }
          >
            Week {week.week} has no mix so far.
          </EmptyState>
        ) : (
          <ul className="flex min-w-0 flex-col gap-3">
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
                  {release.status === 'failed' && (
                    <CircleAlert aria-hidden strokeWidth={1.75} className="size-4 shrink-0" />
                  )}
                  {describeState(release)}
                </p>
                {release.stage === 'out' && (
                  <p className="text-13 text-text-3">{formatUnit(release.plays, 'count')} plays</p>
                )}
              </li>
            ))}
          </ul>
        )}
      </div>
    </section>
  );
}

import { useQuery } from '@tanstack/react-query';
import { formatHours } from '#contract/rules/format.ts';
import { Loaded } from '#web/ui/loaded.tsx';
import { SectionHead } from '#web/ui/page-head.tsx';
import { TimeAgo } from '#web/ui/time-ago.tsx';
import { PanelRowsSkeleton } from '#web/ui/panel-skeleton.tsx';
import { apiQuery } from '#web/lib/api/api-query.ts';
import { JobErrorText, JobName } from './job-name.tsx';
import { DAY, HOUR, MINUTE } from '#contract/rules/time.ts';

function formatInterval(ms: number): string {
  if (ms === DAY) return 'Daily';
  if (ms === HOUR) return 'Hourly';
  return `Every ${ms < MINUTE ? `${ms / 1000} s` : formatHours(ms / 1000)}`;
}

/** Recurring jobs with their last and next runs. */
export function ScheduleList() {
  return (
    <section aria-labelledby="schedules">
      <SectionHead id="schedules" title="Schedules" />
      <Loaded
        query={useQuery(apiQuery('GET /api/admin/schedules'))}
        failed="Couldn’t load the schedules."
        skeleton={<PanelRowsSkeleton rows={8} endLines={2} />}
      >
        {({ items }) => (
          <ul aria-labelledby="schedules" className="rounded-panel bg-surface">
            {items.map((item) => (
              <li
                key={item.name}
                className="grid gap-x-6 gap-y-1 border-t border-line px-5 py-3 first:border-0 @3xl/content:grid-cols-[minmax(0,1fr)_auto] @3xl/content:text-right [&>div]:text-left"
              >
                <div className="min-w-0">
                  <JobName name={item.name} />
                  <p className="text-13 text-text-3">{formatInterval(item.everyMs)}</p>
                  {item.lastError && <JobErrorText error={item.lastError} />}
                </div>
                <p className="text-13 text-text-2 tabular-nums">
                  {item.lastRunAt === null ? (
                    'Never run'
                  ) : (
                    <>
                      Ran <TimeAgo at={item.lastRunAt} />
                    </>
                  )}
                  <span className="block text-text-3">
                    {item.isRunning ? (
                      'Running now'
                    ) : item.nextRunAt === null ? (
                      'Not scheduled'
                    ) : (
                      <>
                        Due <TimeAgo at={item.nextRunAt} />
                      </>
                    )}
                  </span>
                </p>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </section>
  );
}

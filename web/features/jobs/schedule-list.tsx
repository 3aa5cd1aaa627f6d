import { useQuery } from '@tanstack/react-query';
import { formatHours } from '#contract/rules/format.ts';
import { formatDateTime } from '#web/lib/format.ts';
import { SectionHead } from '#web/ui/page-head.tsx';
import { RowsSkeleton } from '#web/ui/skeleton.tsx';
import { schedulesQuery } from './api.ts';
import { JobName } from './job-name.tsx';
import { DAY, HOUR, MINUTE } from '#contract/rules/time.ts';

function formatInterval(ms: number): string {
  if (ms === DAY) return 'Daily';
  if (ms === HOUR) return 'Hourly';
  return `Every ${ms < MINUTE ? `${ms / 1000} s` : formatHours(ms / 1000)}`;
}

/** Recurring jobs with their last and next runs. */
export function ScheduleList() {
  const { data } = useQuery(schedulesQuery);
  return (
    <section aria-labelledby="schedules">
      <SectionHead id="schedules" title="Schedules" />
      {!data && <RowsSkeleton rows={3} />}
      {data && (
        <ul aria-labelledby="schedules" className="rounded-panel bg-surface">
          {data.items.map((item) => (
            <li
              key={item.name}
              className="flex flex-wrap justify-between gap-x-6 gap-y-1 border-t border-line px-5 py-3 first:border-0"
            >
              <div className="min-w-0">
                <JobName name={item.name} />
                <p className="text-13 text-text-2">{formatInterval(item.everyMs)}</p>
                {item.lastError && (
                  <p className="max-w-[72ch] text-13 break-words text-danger">{item.lastError}</p>
                )}
              </div>
              <p className="text-13 text-text-2 tabular-nums">
                {item.lastRunAt === null ? 'Never run' : `Ran ${formatDateTime(item.lastRunAt)}`}
                <span className="block text-text-3">
                  {item.isRunning
                    ? 'Running now'
                    : item.nextRunAt === null
                      ? 'Not scheduled'
                      : `Next ${formatDateTime(item.nextRunAt)}`}
                </span>
              </p>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

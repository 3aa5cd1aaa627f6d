import { useQuery } from '@tanstack/react-query';
import { formatHours } from '#contract/rules/duration.ts';
import { formatDateTime } from '#web/lib/format.ts';
import { SectionHead } from '#web/ui/page-head.tsx';
import { RowsSkeleton } from '#web/ui/skeleton.tsx';
import { schedulesQuery } from './api.ts';
import { MINUTE } from '#contract/rules/time.ts';

/** Less than a minute is not rounded up to one. */
const describeEvery = (ms: number): string =>
  ms < MINUTE ? `${ms / 1000} s` : formatHours(ms / 1000);

/** Work that recurs, when it ran and when it runs next. */
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
                <p className="font-medium">{item.name}</p>
                <p className="text-13 text-text-2">Every {describeEvery(item.everyMs)}</p>
                {item.lastError && (
                  <p className="max-w-[72ch] text-13 break-words text-danger">{item.lastError}</p>
                )}
              </div>
              <p className="text-13 text-text-2 tabular-nums">
                {item.lastRunAt === null
                  ? 'Has not run yet'
                  : `Ran ${formatDateTime(item.lastRunAt)}`}
                <span className="block text-text-3">
                  {item.isRunning
                    ? 'Runs right now'
                    : item.nextRunAt === null
                      ? 'Not planned'
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

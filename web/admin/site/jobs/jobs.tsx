import { useInfiniteQuery } from '@tanstack/react-query';
import { JobFilterBar, useJobFilter } from './job-filter.tsx';
import { JobList, JOBS_PATH, jobsQuery } from './job-list.tsx';
import { JobPauses } from './job-pauses.tsx';
import { ScheduleList } from './schedule-list.tsx';
import { useRefreshOn } from '#web/lib/api/use-refresh-on.ts';
import { AdminFrame } from '#web/admin/admin-frame.tsx';

export function Page() {
  const [filter, change] = useJobFilter();
  useRefreshOn('admin:jobs', JOBS_PATH, '/api/admin/schedules');
  const first = useInfiniteQuery(jobsQuery(filter)).data?.pages[0];
  return (
    <AdminFrame title="System" lead="Background tasks, live.">
      <div className="grid items-start gap-x-12 gap-y-8 @double/content:grid-cols-2">
        <div className="flex min-w-0 flex-col items-start gap-5">
          <JobFilterBar filter={filter} counts={first?.counts} onChange={change} />
          <JobPauses pauses={first?.pauses ?? []} filter={filter} />
          <div className="w-full">
            <JobList filter={filter} />
          </div>
        </div>
        <ScheduleList />
      </div>
    </AdminFrame>
  );
}

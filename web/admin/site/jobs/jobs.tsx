import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { JobState } from '#contract/admin/jobs.ts';
import { JobList, JOBS_PATH, jobsQuery } from './job-list.tsx';
import { ScheduleList } from './schedule-list.tsx';
import { useRefreshOn } from '#web/lib/api/use-refresh-on.ts';
import { Segmented } from '#web/ui/forms/segmented.tsx';
import { AdminFrame } from '#web/admin/admin-frame.tsx';

const states = [
  { value: 'failed', label: 'Failed' },
  { value: 'running', label: 'Running' },
  { value: 'waiting', label: 'Waiting' },
] as const;

/** As wide as a count that has not loaded yet. */
const FIGURE_SPACE = '\u2007';

export function Page() {
  const [state, setState] = useState<JobState>('failed');
  useRefreshOn('admin:jobs', JOBS_PATH, '/api/admin/schedules');
  const counts = useInfiniteQuery(jobsQuery(state)).data?.pages[0]?.counts;
  return (
    <AdminFrame title="System" lead="Background tasks, live.">
      <div className="grid items-start gap-x-12 gap-y-8 @double/content:grid-cols-2">
        <div className="flex min-w-0 flex-col items-start gap-5">
          <Segmented
            label="Filter by status"
            options={states.map(({ value, label }) => ({
              value,
              label: `${label} ${counts?.[value] ?? FIGURE_SPACE}`,
            }))}
            value={state}
            onValueChange={setState}
          />
          <div className="w-full">
            <JobList state={state} />
          </div>
        </div>
        <ScheduleList />
      </div>
    </AdminFrame>
  );
}

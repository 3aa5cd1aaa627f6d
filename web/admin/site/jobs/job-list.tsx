import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { describeJob } from '#contract/admin/job-names.ts';
import type { JobItem, JobState } from '#contract/admin/jobs.ts';
import { call } from '#web/lib/api/api.ts';
import { showErrorToast, showToast } from '#web/lib/store/toasts.ts';
import { formatCount } from '#web/lib/format/format.ts';
import { Button } from '#web/ui/button.tsx';
import { NoJobsSkeleton } from '#web/admin/admin-skeletons.tsx';
import { PagedList } from '#web/ui/paged-list.tsx';
import { TimeAgo } from '#web/ui/time-ago.tsx';
import { ReasonDialog } from '#web/ui/overlays/reason-dialog.tsx';
import { pagedQuery, refreshPaths } from '#web/lib/api/api-query.ts';
import { formatJob, listSubjects } from './describe-job.ts';
import type { JobFilter } from './job-filter.tsx';
import { JobErrorText, JobName } from './job-name.tsx';

export const JOBS_PATH = '/api/admin/jobs';

export const jobsQuery = ({ state, lane, name }: JobFilter) =>
  pagedQuery('GET /api/admin/jobs', {
    query: { state, limit: 50, ...(lane && { lane }), ...(name && { name }) },
  });

const EMPTY: Record<JobState, string> = {
  running: 'Nothing running.',
  waiting: 'Nothing waiting.',
  failed: 'No failed jobs. Jobs retry automatically before they’re listed here.',
};

const formatTimes = (count: number): string => (count === 1 ? 'once' : `${count} times`);

/** A restart is no failure, but many can have the job as their cause. */
const formatInterruptions = ({ interruptions }: JobItem): string =>
  interruptions === 0 ? '' : `, interrupted ${formatTimes(interruptions)}`;

function JobTime(job: JobItem) {
  const { state, runAt, updatedAt, attempts, maxAttempts } = job;
  if (state === 'running')
    return (
      <>
        Attempt {attempts} of {maxAttempts}
        {formatInterruptions(job)}
      </>
    );
  if (state === 'failed')
    return (
      <>
        Failed <TimeAgo at={updatedAt} />, after {formatCount(attempts, 'attempt')}
        {formatInterruptions(job)}
      </>
    );
  return (
    <>
      {job.isPaused && 'Paused. '}
      Due <TimeAgo at={runAt} />
      {attempts > 0 && `, attempt ${attempts} of ${maxAttempts}`}
      {formatInterruptions(job)}
    </>
  );
}

/** An e-mail that may have arrived isn’t just tried again. */
const retryLabel = ({ name, error }: JobItem): string =>
  name.startsWith('send-') && error?.startsWith('Nobody knows') ? 'Send again' : 'Retry';

type RowProps = { job: JobItem; onStart: () => void; onDiscard: () => void };

function JobRow({ job, onStart, onDiscard }: RowProps) {
  const startLabel = job.state === 'failed' ? retryLabel(job) : 'Run now';
  return (
    <li className="grid items-center gap-x-6 gap-y-2 border-t border-line px-5 py-3 first:border-0 @2xl/content:grid-cols-[minmax(0,1fr)_auto]">
      <div className="grid min-w-0 gap-0.5">
        <JobName name={job.name} subjects={listSubjects(job)} />
        <p className="text-13 text-text-3 tabular-nums">
          <JobTime {...job} />
        </p>
        {job.error && <JobErrorText error={job.error} />}
      </div>
      {job.state !== 'running' && (
        <div className="flex gap-2">
          {!job.isPaused && (
            <Button
              variant="line"
              size="sm"
              aria-label={`${startLabel} ${formatJob(job)}`}
              onClick={onStart}
            >
              {startLabel}
            </Button>
          )}
          {job.canDiscard && (
            <Button
              variant="quiet"
              size="sm"
              aria-label={`Discard ${formatJob(job)}`}
              onClick={onDiscard}
            >
              Discard
            </Button>
          )}
        </div>
      )}
    </li>
  );
}

/** What `empty` says when a lane or a kind is chosen. */
const describeEmpty = ({ state, lane, name }: JobFilter): string => {
  if (!lane && !name) return EMPTY[state];
  return name ? `No ${state} job “${describeJob(name).name}”.` : `No ${state} job in this lane.`;
};

export function JobList({ filter }: { filter: JobFilter }) {
  const client = useQueryClient();
  const jobs = useInfiniteQuery(jobsQuery(filter));
  const [discarded, setDiscarded] = useState<JobItem | null>(null);
  const refresh = () => refreshPaths(client, JOBS_PATH, '/api/admin/schedules');
  const start = useMutation({
    mutationFn: ({ id, state }: JobItem) =>
      state === 'failed'
        ? call('POST /api/admin/jobs/:id/retry', { params: { id } })
        : call('POST /api/admin/jobs/:id/run', { params: { id } }),
    onSuccess: async (_answer, job) => {
      await refresh();
      showToast({ title: `${job.state === 'failed' ? 'Retrying' : 'Running'} ${formatJob(job)}` });
    },
    onError: (problem) => showErrorToast(problem, 'Couldn’t start the job.'),
    retry: false,
  });
  return (
    <>
      <PagedList
        label="Jobs"
        query={jobs}
        failed="Couldn’t load jobs."
        empty={describeEmpty(filter)}
        skeleton={<NoJobsSkeleton />}
        renderItem={(job) => (
          <JobRow
            key={job.id}
            job={job}
            onStart={() => start.mutate(job)}
            onDiscard={() => setDiscarded(job)}
          />
        )}
      />
      {discarded && (
        <ReasonDialog
          title="Discard this job"
          description={`${formatJob(discarded)} won’t run. This can’t be undone.`}
          confirmLabel="Discard"
          isDestructive
          onClose={() => setDiscarded(null)}
          failed="Couldn’t discard the job."
          onConfirm={async () => {
            await call('DELETE /api/admin/jobs/:id', { params: { id: discarded.id } });
            await refresh();
            showToast({ title: `${formatJob(discarded)} discarded` });
          }}
        />
      )}
    </>
  );
}

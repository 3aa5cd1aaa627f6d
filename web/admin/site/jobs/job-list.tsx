import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
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
import { JobErrorText, JobName } from './job-name.tsx';

export const JOBS_PATH = '/api/admin/jobs';

export const jobsQuery = (state: JobState) =>
  pagedQuery('GET /api/admin/jobs', { query: { state, limit: 50 } });

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
      Due <TimeAgo at={runAt} />
      {attempts > 0 && `, attempt ${attempts} of ${maxAttempts}`}
      {formatInterruptions(job)}
    </>
  );
}

/** An e-mail that may have arrived isn’t just tried again. */
const retryLabel = ({ name, error }: JobItem): string =>
  name.startsWith('send-') && error?.startsWith('Nobody knows') ? 'Send again' : 'Retry';

type RowProps = { job: JobItem; onRetry: () => void; onDiscard: () => void };

function JobRow({ job, onRetry, onDiscard }: RowProps) {
  return (
    <li className="grid items-center gap-x-6 gap-y-2 border-t border-line px-5 py-3 first:border-0 @2xl/content:grid-cols-[minmax(0,1fr)_auto]">
      <div className="grid min-w-0 gap-0.5">
        <JobName name={job.name} subjects={listSubjects(job)} />
        <p className="text-13 text-text-3 tabular-nums">
          <JobTime {...job} />
        </p>
        {job.error && <JobErrorText error={job.error} />}
      </div>
      {job.state === 'failed' && (
        <div className="flex gap-2">
          <Button
            variant="line"
            size="sm"
            aria-label={`${retryLabel(job)} ${formatJob(job)}`}
            onClick={onRetry}
          >
            {retryLabel(job)}
          </Button>
          <Button
            variant="quiet"
            size="sm"
            aria-label={`Discard ${formatJob(job)}`}
            onClick={onDiscard}
          >
            Discard
          </Button>
        </div>
      )}
    </li>
  );
}

export function JobList({ state }: { state: JobState }) {
  const client = useQueryClient();
  const jobs = useInfiniteQuery(jobsQuery(state));
  const [discarded, setDiscarded] = useState<JobItem | null>(null);
  const refresh = () => refreshPaths(client, JOBS_PATH, '/api/admin/schedules');
  const retry = useMutation({
    mutationFn: ({ id }: JobItem) => call('POST /api/admin/jobs/:id/retry', { params: { id } }),
    onSuccess: async (_answer, job) => {
      await refresh();
      showToast({ title: `Retrying ${formatJob(job)}` });
    },
    onError: (problem) => showErrorToast(problem, 'Couldn’t retry the job.'),
    retry: false,
  });
  return (
    <>
      <PagedList
        label="Jobs"
        query={jobs}
        failed="Couldn’t load jobs."
        empty={EMPTY[state]}
        skeleton={<NoJobsSkeleton />}
        renderItem={(job) => (
          <JobRow
            key={job.id}
            job={job}
            onRetry={() => retry.mutate(job)}
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

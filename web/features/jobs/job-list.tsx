import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { JobItem, JobState } from '#contract/admin/jobs.ts';
import { call } from '#web/lib/api.ts';
import { showErrorToast, showToast } from '#web/lib/toasts.ts';
import { formatDateTime } from '#web/lib/format.ts';
import { Button } from '#web/ui/button.tsx';
import { PagedList } from '#web/ui/paged-list.tsx';
import { ReasonDialog } from '#web/ui/overlays/reason-dialog.tsx';
import { JOBS_KEY, jobsQuery } from './api.ts';
import { formatJobName, JobName } from './job-name.tsx';

const EMPTY: Record<JobState, string> = {
  running: 'Nothing running.',
  waiting: 'Nothing waiting.',
  failed: 'No failed jobs. Jobs retry automatically before they’re listed here.',
};

function describeTime({ state, runAt, updatedAt, attempts, maxAttempts }: JobItem): string {
  if (state === 'running') return `Attempt ${attempts} of ${maxAttempts}`;
  if (state === 'failed') return `Failed ${formatDateTime(updatedAt)} after ${attempts} attempts`;
  const attempt = attempts > 0 ? `, attempt ${attempts} of ${maxAttempts}` : '';
  return `Due ${formatDateTime(runAt)}${attempt}`;
}

type RowProps = { job: JobItem; onRetry: () => void; onDiscard: () => void };

function JobRow({ job, onRetry, onDiscard }: RowProps) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-t border-line px-5 py-3 first:border-0">
      <div className="min-w-0">
        <JobName name={job.name} />
        <p className="text-13 text-text-2">{describeTime(job)}</p>
        {job.error && <p className="max-w-[72ch] text-13 break-words text-danger">{job.error}</p>}
      </div>
      {job.state === 'failed' && (
        <div className="flex gap-2">
          <Button
            variant="line"
            size="sm"
            aria-label={`Retry ${formatJobName(job.name)}`}
            onClick={onRetry}
          >
            Retry
          </Button>
          <Button
            variant="quiet"
            size="sm"
            aria-label={`Discard ${formatJobName(job.name)}`}
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
  const refresh = () => client.invalidateQueries({ queryKey: [JOBS_KEY] });
  const retry = useMutation({
    mutationFn: ({ id }: JobItem) => call('POST /api/admin/jobs/:id/retry', { params: { id } }),
    onSuccess: async (_answer, job) => {
      await refresh();
      showToast({ title: `Retrying ${formatJobName(job.name)}` });
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
          description={`${formatJobName(discarded.name)} won’t run. This can’t be undone.`}
          confirmLabel="Discard"
          isDestructive
          onClose={() => setDiscarded(null)}
          failed="Couldn’t discard the job."
          onConfirm={async () => {
            await call('DELETE /api/admin/jobs/:id', { params: { id: discarded.id } });
            await refresh();
            showToast({ title: `${formatJobName(discarded.name)} discarded` });
          }}
        />
      )}
    </>
  );
}

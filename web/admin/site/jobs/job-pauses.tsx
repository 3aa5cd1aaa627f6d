import { useMutation, useQueryClient } from '@tanstack/react-query';
import { namePauseTarget } from '#contract/admin/job-names.ts';
import type { JobPause } from '#contract/admin/jobs.ts';
import { call } from '#web/lib/api/api.ts';
import { refreshPaths } from '#web/lib/api/api-query.ts';
import { showErrorToast, showToast } from '#web/lib/store/toasts.ts';
import { Button } from '#web/ui/button.tsx';
import { Pause } from '#web/ui/icons.ts';
import { TimeAgo } from '#web/ui/time-ago.tsx';
import { JOBS_PATH } from './job-list.tsx';
import type { JobFilter } from './job-filter.tsx';

function useChangePause() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: { target: string; isPaused: boolean }) =>
      call('PUT /api/admin/job-pauses', { body }),
    onSuccess: async (_answer, { target, isPaused }) => {
      await refreshPaths(client, JOBS_PATH);
      const name = namePauseTarget(target);
      showToast({ title: isPaused ? `${name} paused` : `${name} goes on` });
    },
    onError: (problem) => showErrorToast(problem, 'Couldn’t change what is paused.'),
    retry: false,
  });
}

/** What can be paused is what is chosen: the kind, or else the whole lane. */
const findTarget = ({ lane, name }: JobFilter): string | null =>
  name ? `job:${name}` : lane ? `lane:${lane}` : null;

/** What waits until somebody lets it go on, and a button for what is chosen. */
export function JobPauses({ pauses, filter }: { pauses: readonly JobPause[]; filter: JobFilter }) {
  const change = useChangePause();
  const target = findTarget(filter);
  const canPause = target !== null && !pauses.some((pause) => pause.target === target);
  return (
    <>
      {pauses.length > 0 && (
        <ul aria-label="Paused" className="w-full rounded-panel bg-raised">
          {pauses.map((pause) => (
            <li
              key={pause.target}
              className="flex flex-wrap items-center gap-x-3 gap-y-1 border-t border-line px-4 py-2.5 first:border-0"
            >
              <Pause className="size-5 shrink-0 text-warning" />
              <p className="min-w-0 flex-1">
                <b className="font-semibold">{namePauseTarget(pause.target)}</b>{' '}
                <span className="text-13 text-text-2">
                  paused <TimeAgo at={pause.at} />
                  {pause.by !== null && ` by ${pause.by}`}
                </span>
              </p>
              <Button
                variant="line"
                size="sm"
                aria-label={`Let go on: ${namePauseTarget(pause.target)}`}
                disabled={change.isPending}
                onClick={() => change.mutate({ target: pause.target, isPaused: false })}
              >
                Let go on
              </Button>
            </li>
          ))}
        </ul>
      )}
      {canPause && (
        <Button
          variant="line"
          size="sm"
          className="max-w-full"
          disabled={change.isPending}
          onClick={() => change.mutate({ target, isPaused: true })}
        >
          <Pause />
          <span className="truncate">Pause: {namePauseTarget(target)}</span>
        </Button>
      )}
    </>
  );
}

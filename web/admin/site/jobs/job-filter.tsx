import { useLocation } from 'wouter';
import { describedJobs, describeJob, jobLanes, type JobLane } from '#contract/admin/job-names.ts';
import type { JobState } from '#contract/admin/jobs.ts';
import { useQueryParam } from '#web/lib/location/use-query-param.ts';
import { Segmented } from '#web/ui/forms/segmented.tsx';
import { Select } from '#web/ui/forms/select.tsx';

const states = [
  { value: 'failed', label: 'Failed' },
  { value: 'running', label: 'Running' },
  { value: 'waiting', label: 'Waiting' },
] as const;

export type JobFilter = {
  state: JobState;
  lane: JobLane | undefined;
  name: string | undefined;
};

/** In the address, so that Friday’s page leads to the jobs that it means. */
export function useJobFilter(): [JobFilter, (change: Partial<JobFilter>) => void] {
  const [, navigate] = useLocation();
  const state = useQueryParam('state');
  const lane = useQueryParam('lane');
  const name = useQueryParam('kind');
  const filter: JobFilter = {
    state: states.find(({ value }) => value === state)?.value ?? 'failed',
    lane: jobLanes.find(({ value }) => value === lane)?.value,
    name: describedJobs.find((each) => each === name),
  };
  return [
    filter,
    (change) => {
      const { state: nextState, lane: nextLane, name: nextName } = { ...filter, ...change };
      const query = new URLSearchParams({
        state: nextState,
        ...(nextLane && { lane: nextLane }),
        ...(nextName && { kind: nextName }),
      });
      navigate(`/admin/jobs?${query}`, { replace: true });
    },
  ];
}

/** As wide as a count that has not loaded yet. */
const FIGURE_SPACE = '\u2007';

const ALL = { value: '', label: 'All lanes' };
const kinds = [
  { value: '', label: 'All kinds' },
  ...describedJobs
    .map((value) => ({ value, label: describeJob(value).name }))
    .toSorted((a, b) => a.label.localeCompare(b.label)),
];

type FilterBarProps = {
  filter: JobFilter;
  counts: Record<JobState, number> | undefined;
  onChange: (change: Partial<JobFilter>) => void;
};

export const JobFilterBar = ({ filter, counts, onChange }: FilterBarProps) => (
  <div className="flex max-w-full flex-wrap gap-3">
    <Segmented
      label="Filter by status"
      options={states.map(({ value, label }) => ({
        value,
        label: `${label} ${counts?.[value] ?? FIGURE_SPACE}`,
      }))}
      value={filter.state}
      onValueChange={(state) => onChange({ state })}
    />
    <Select
      label="Filter by lane"
      className="max-w-full"
      options={[ALL, ...jobLanes]}
      value={filter.lane ?? ''}
      onValueChange={(value) =>
        onChange({ lane: jobLanes.find((each) => each.value === value)?.value })
      }
    />
    <Select
      label="Filter by kind"
      className="max-w-full"
      options={kinds}
      value={filter.name ?? ''}
      onValueChange={(value) => onChange({ name: value === '' ? undefined : value })}
    />
  </div>
);

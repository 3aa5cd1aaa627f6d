import { useQuery } from '@tanstack/react-query';
import type { FirstSteps, Week } from '#contract/admin/week.ts';
import { WEEKDAYS } from '#contract/admin/release-time.ts';
import { formatWeekDays } from '#contract/rules/weeks.ts';
import { AdminFrame } from '#web/admin/admin-frame.tsx';
import { FridaySkeleton, LeadSkeleton } from '#web/admin/admin-skeletons.tsx';
import { apiQuery } from '#web/lib/api/api-query.ts';
import { useRefreshOn } from '#web/lib/api/use-refresh-on.ts';
import { useQueryParam } from '#web/lib/location/use-query-param.ts';
import { boot } from '#web/lib/store/boot.ts';
import { Loaded } from '#web/ui/loaded.tsx';
import { firstStepsQuery, STEPS_PATH, WEEK_PATH, weekQuery } from './api.ts';
import { compareClocks } from './device-clock.ts';
import { FirstStepsPanel, listLeft } from './first-steps.tsx';
import { MoreMixes } from './more-mixes.tsx';
import { NoMix } from './no-mix.tsx';
import { ReadyCells } from './ready-cells.tsx';
import { Stage } from './stage.tsx';
import { AttentionPanel, OutcomePanel, PeoplePanel } from './week-panels.tsx';

function describeLead({ week }: Week, steps: FirstSteps | null | undefined): string {
  const text = `Week ${week.week}, ${formatWeekDays(week)}.`;
  const isEmpty = steps?.steps.some(({ name, isDone }) => name === 'release' && !isDone);
  return isEmpty ? `${text} Nothing is out yet.` : text;
}

/** This week's mix from the upload to how it went, and what needs a hand. */
export function Page() {
  const wanted = useQueryParam('mix');
  const query = useQuery(weekQuery(wanted));
  const steps = useQuery(firstStepsQuery);
  useRefreshOn('admin:tracks', WEEK_PATH, STEPS_PATH);
  return (
    <AdminFrame
      // Named after the day on which the site releases.
      title={WEEKDAYS[boot.releaseDay] ?? 'Friday'}
      lead={query.data ? describeLead(query.data, steps.data) : !query.error && <LeadSkeleton />}
    >
      <Loaded query={query} failed="Couldn’t load this week." skeleton={<FridaySkeleton />}>
        {(week) => (
          <Friday
            week={week}
            arrivedAt={query.isPlaceholderData ? null : query.dataUpdatedAt}
            steps={steps.data ?? undefined}
          />
        )}
      </Loaded>
    </AdminFrame>
  );
}

/** What runs, for whoever reports a problem. */
function Version() {
  const { data } = useQuery(apiQuery('GET /api/version'));
  if (!data) return null;
  return (
    <p className="text-12 wrap-anywhere text-text-3">
      Version {data.version}
      {data.commit !== null && ` (${data.commit})`}
    </p>
  );
}

type FridayProps = {
  week: Week;
  /** When the answer came, by this device; null while that for another mix stands in for it. */
  arrivedAt: number | null;
  steps: FirstSteps | undefined;
};

function Friday({ week, arrivedAt, steps }: FridayProps) {
  const { staged, outcome, people } = week;
  const hasSteps = steps !== undefined && listLeft(steps).length > 0;
  // A site that nothing has come out on has nothing to say here.
  const hasPeople = outcome !== null || people.joined > 0 || people.left > 0;
  const isNamed = week.attention.some(({ kind }) => kind === 'clock');
  const clock = isNamed || arrivedAt === null ? [] : compareClocks(arrivedAt, week.asOf);
  const attention = [...week.attention, ...clock];
  const isClear = attention.length === 0 && week.checks.every(({ trouble }) => !trouble);
  const needs = <AttentionPanel attention={attention} checks={week.checks} />;
  return (
    <div className="flex flex-col gap-4">
      {/* Nobody scrolls down to look for trouble. */}
      {!isClear && needs}
      <div className="flex flex-col gap-0.5">
        {staged ? (
          <>
            <Stage key={staged.id} track={staged} week={week} />
            <ReadyCells track={staged} week={week} />
          </>
        ) : (
          <NoMix week={week.week} />
        )}
        <MoreMixes week={week} />
      </div>
      <div
        className={`grid items-start gap-4 ${hasSteps && hasPeople ? '@5xl/content:grid-cols-[minmax(0,1.15fr)_minmax(0,1fr)]' : ''}`}
      >
        {hasSteps && <FirstStepsPanel steps={steps} hasMix={staged !== null} isWide={!hasPeople} />}
        {hasPeople && (
          <div
            className={`grid gap-0.5 @4xl/content:auto-cols-fr @4xl/content:grid-flow-col ${hasSteps ? '@5xl/content:grid-flow-row' : ''}`}
          >
            {isClear && needs}
            {outcome && <OutcomePanel outcome={outcome} />}
            <PeoplePanel week={week} />
          </div>
        )}
      </div>
      <Version />
    </div>
  );
}

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import type { Chart, ChartEntry } from '#contract/charts.ts';
import { WEEK_KEY } from '#contract/rules/weeks.ts';
import { chartQuery } from '#web/features/charts/api.ts';
import { describeChart } from '#web/features/charts/chart-text.ts';
import { useQueryParam } from '#web/lib/use-query-param.ts';
import { useThisWeek } from '#web/lib/use-this-week.ts';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { PageHead } from '#web/ui/page-head.tsx';
import { RowsSkeleton } from '#web/ui/skeleton.tsx';
import { ChartWeeks } from './chart-weeks.tsx';
import { Top20First } from './number-one.tsx';
import { Top20Rows } from './top-20-rows.tsx';

const WhyDialog = lazy(() =>
  import('#web/features/charts/explain-rank-dialog.tsx').then((module) => ({ default: module.WhyDialog })),
);

export function Top20Page() {
  const asked = useQueryParam('week');
  const week = asked && WEEK_KEY.test(asked) ? asked : null;
  const { year } = useThisWeek();
  const { data, isError, refetch } = useQuery({
    ...chartQuery(week),
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <PageHead
        title="Top 20"
        lead={data ? describeChart(data, year) : 'The most played mixes of the last seven days.'}
        end={data && <ChartWeeks chart={data} thisYear={year} />}
      />
      {isError ? (
        <ChartProblem isPast={week !== null} onRetry={() => void refetch()} />
      ) : data ? (
        <ChartPlaces chart={data} />
      ) : (
        <div role="status" aria-label="Loading: Top 20" className="px-gutter pt-8">
          <RowsSkeleton />
        </div>
      )}
    </>
  );
}

function ChartPlaces({ chart }: { chart: Chart }) {
  const [explained, setExplained] = useState<ChartEntry | null>(null);
  const queue = chart.items.map((entry) => entry.track);
  const first = chart.items.find((entry) => entry.rank === 1);
  const others = chart.items.filter((entry) => entry.rank !== 1);
  if (chart.items.length === 0) return <NoPlaces isPast={chart.week !== null} />;
  return (
    <>
      {first && <Top20First entry={first} queue={queue} onExplain={() => setExplained(first)} />}
      {others.length > 0 && <Top20Rows entries={others} queue={queue} onExplain={setExplained} />}
      <Suspense fallback={null}>
        {explained && (
          <WhyDialog entry={explained} chart={chart} onClose={() => setExplained(null)} />
        )}
      </Suspense>
    </>
  );
}

function NoPlaces({ isPast }: { isPast: boolean }) {
  return (
    <div className="px-gutter pt-8">
      <EmptyState title={isPast ? 'Nobody listened that week' : 'No places yet'}>
        {isPast
          ? 'The chart of that week stayed empty. The weeks beside it have more to say.'
          : 'A mix gets its place with the first fifteen seconds somebody hears of it.'}
      </EmptyState>
    </div>
  );
}

function ChartProblem({ isPast, onRetry }: { isPast: boolean; onRetry: () => void }) {
  return (
    <div role="alert" className="px-gutter pt-8">
      <EmptyState
        glyph="broken"
        title="The chart could not be loaded"
        action={
          <Button variant="line" onClick={onRetry}>
            Try again
          </Button>
        }
      >
        {isPast
          ? 'Perhaps no chart was kept of that week. The newest one is always here.'
          : 'What is playing plays on. Check the connection and try again.'}
      </EmptyState>
    </div>
  );
}

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Chart, ChartEntry } from '#contract/charts.ts';
import { WEEK_KEY } from '#contract/rules/weeks.ts';
import { chartQuery } from '#web/features/charts/api.ts';
import { describeChart, formatChartWeek } from '#web/features/charts/chart-text.ts';
import { useQueryParam } from '#web/lib/location/use-query-param.ts';
import { useThisWeek } from '#web/lib/format/use-this-week.ts';
import { LinkButton } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Loaded } from '#web/ui/loaded.tsx';
import { PageHead } from '#web/ui/page-head.tsx';
import { RowsSkeleton, Skeleton } from '#web/ui/skeleton.tsx';
import type { Visit } from '#web/router/route.ts';
import { NumberOne, NumberOneSkeleton } from './number-one.tsx';
import { Top20Rows } from '#web/features/tracks/top-20-rows.tsx';
import { lazyPanel } from '#web/ui/overlays/lazy-overlay.tsx';

const ExplainRankDialog = lazyPanel(() => import('./explain-rank-dialog.tsx'), 'ExplainRankDialog');

export const listQueries = ({ search }: Visit) => [chartQuery(parseWeek(search.get('week')))];

const parseWeek = (param: string | null) => (param && WEEK_KEY.test(param) ? param : null);

export function Page() {
  const week = parseWeek(useQueryParam('week'));
  const { year } = useThisWeek();
  const query = useQuery({
    ...chartQuery(week),
    placeholderData: keepPreviousData,
  });
  const { data, isError } = query;
  return (
    <>
      <PageHead
        title="Top 20"
        lead={describeChart(data ? data.week : week, year)}
        end={
          data ? (
            <ChartWeekNav chart={data} thisYear={year} />
          ) : (
            !isError && <Skeleton className="h-11 w-40 md:h-9" />
          )
        }
      />
      <Loaded
        query={query}
        look="section"
        failed="Couldn’t load the chart"
        text={
          week ? 'There may be no chart for that week. The live chart is always here.' : undefined
        }
        className="px-gutter pt-8"
        skeleton={
          <div role="status" aria-label="Loading: Top 20">
            <NumberOneSkeleton />
            <div className="px-gutter">
              <RowsSkeleton hasLead rows={8} />
            </div>
          </div>
        }
      >
        {(chart) => <ChartEntries chart={chart} />}
      </Loaded>
    </>
  );
}

const chartPath = (week: string | null) => (week ? `/top-20?week=${week}` : '/top-20');

/** The live chart, and the archived ones around the one that is shown. */
function ChartWeekNav({ chart, thisYear }: { chart: Chart; thisYear: number }) {
  const { week, previousWeek, nextWeek } = chart;
  const weeks = [nextWeek, week, previousWeek].filter((one) => one !== null);
  if (weeks.length === 0) return null;
  return (
    <nav aria-label="Charts of other weeks" className="flex flex-wrap gap-1.5">
      {[null, ...weeks].map((one, i) => {
        const name = one && formatChartWeek(one, thisYear);
        // The first says that the numbers are weeks.
        const isShort = i > 1 && name?.includes('of') === false;
        return (
          <LinkButton
            key={one}
            href={chartPath(one)}
            size="sm"
            variant={one === week ? 'primary' : 'line'}
            aria-current={one === week ? 'page' : undefined}
            aria-label={name ? `Chart of ${name}` : 'Live chart'}
          >
            {isShort ? name.replace('week ', '') : (name?.replace('week', 'Week') ?? 'Live')}
          </LinkButton>
        );
      })}
    </nav>
  );
}

function ChartEntries({ chart }: { chart: Chart }) {
  const [explained, setExplained] = useState<ChartEntry | null>(null);
  const queue = chart.items.map((entry) => entry.track);
  const first = chart.items.find((entry) => entry.rank === 1);
  const others = chart.items.filter((entry) => entry.rank !== 1);
  if (chart.items.length === 0) return <EmptyChart isPast={chart.week !== null} />;
  return (
    <>
      {first && <NumberOne entry={first} queue={queue} onExplain={() => setExplained(first)} />}
      {others.length > 0 && <Top20Rows entries={others} queue={queue} onExplain={setExplained} />}
      {explained && (
        <ExplainRankDialog
          open
          entry={explained}
          chart={chart}
          onClose={() => setExplained(null)}
          onFail={() => setExplained(null)}
        />
      )}
    </>
  );
}

function EmptyChart({ isPast }: { isPast: boolean }) {
  return (
    <div className="px-gutter pt-8">
      <EmptyState
        title={isPast ? 'No plays that week' : 'The chart is empty'}
        text={
          isPast
            ? 'Nothing charted that week. Try the week before or after.'
            : 'A mix enters the chart as soon as someone plays 15 seconds of it.'
        }
      />
    </div>
  );
}

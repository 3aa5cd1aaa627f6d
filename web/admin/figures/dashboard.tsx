import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Dashboard } from '#contract/admin/reports.ts';
import { dayOf } from '#contract/rules/days.ts';
import { weekOf } from '#contract/rules/weeks.ts';
import { OutboxPanel } from '#web/admin/site/outbox/outbox-panel.tsx';
import { apiQuery } from '#web/lib/api/api-query.ts';
import { useLiveFigures } from './api.ts';
import { AttentionPanel } from './dashboard-panels.tsx';
import { describePreviousPeriod, FigureTile } from './figure-tile.tsx';
import { lastDays } from './range-picker.tsx';
import { ReleasePanel } from './dashboard-panels.tsx';
import { ReportCard, ReportTile } from './report-card.tsx';
import { boot } from '#web/lib/store/boot.ts';
import { formatDate } from '#web/lib/format/format.ts';
import { Loaded } from '#web/ui/loaded.tsx';
import { Segmented } from '#web/ui/forms/segmented.tsx';
import { AdminFrame } from '#web/admin/admin-frame.tsx';
import { LIVE_GRID, NOW_GRID, NowSkeleton } from '#web/admin/admin-skeletons.tsx';

const SPANS = { week: 7, month: 30, year: 365 } as const;
type Span = keyof typeof SPANS;

const options: { value: Span; label: string }[] = [
  { value: 'week', label: 'Week' },
  { value: 'month', label: 'Month' },
  { value: 'year', label: 'Year' },
];

/** Live figures, this week’s release and what needs attention. */
function NowPanels() {
  useLiveFigures();
  return (
    <Loaded
      query={useQuery(apiQuery('GET /api/admin/dashboard'))}
      failed="Couldn’t load live figures."
      skeleton={<NowSkeleton />}
    >
      {(dashboard) => <NowGrid dashboard={dashboard} />}
    </Loaded>
  );
}

function NowGrid({ dashboard: data }: { dashboard: Dashboard }) {
  const live = {
    key: 'live',
    label: 'Listening now',
    definition: data.live.definition,
    unit: 'count' as const,
    value: data.live.listeners,
    previous: null,
    isGoodWhen: null,
    href: '/admin/reports?report=live',
  };
  const plays = {
    ...live,
    key: 'today',
    label: 'Plays today',
    definition: 'Plays since midnight.',
    value: data.playsToday,
    href: `/admin/reports?${new URLSearchParams({ report: 'plays', from: data.today, to: data.today })}`,
  };
  return (
    <div className={NOW_GRID}>
      <ReleasePanel dashboard={data} />
      <div className={LIVE_GRID}>
        <FigureTile figure={live} />
        <FigureTile figure={plays} />
      </div>
      <AttentionPanel attention={data.attention} />
    </div>
  );
}

export function Page() {
  const [span, setSpan] = useState<Span>('month');
  const [now] = useState(Date.now);
  const today = dayOf(now, boot.timeZone);
  const { week } = weekOf(now, boot.timeZone);
  const choice = lastDays(today, SPANS[span]);
  const against = describePreviousPeriod(SPANS[span]);
  const tile = { choice, against };
  return (
    <AdminFrame title="Overview" lead={`Week ${week}, up to ${formatDate(today)}`}>
      <div className="flex flex-col gap-0.5">
        <NowPanels />
        <div className="flex justify-end bg-bg py-4">
          <Segmented label="Period" options={options} value={span} onValueChange={setSpan} />
        </div>
        <div className="grid gap-0.5 @xs/content:grid-cols-2 @4xl/content:grid-cols-4">
          <ReportTile name="mrr" figure="mrr" {...tile} />
          <ReportTile name="subscribers" figure="active" {...tile} />
          <ReportTile name="plays" figure="plays" {...tile} />
          <ReportTile name="churn" figure="churn" {...tile} />
        </div>
        <div className="grid gap-0.5 @4xl/content:grid-cols-12 *:min-w-0 [&>*]:@4xl/content:col-span-12">
          <div className="grid @double/content:col-span-7!">
            <ReportCard title="Plays by release week" name="releases" choice={choice} />
          </div>
          <div className="grid @4xl/content:col-span-7! @double/content:col-span-5!">
            <ReportCard title="Monthly recurring revenue" name="mrr" choice={choice} />
          </div>
          <div className="grid @4xl/content:col-span-5!">
            <ReportCard title="Preview to paid" name="funnel" choice={choice} />
          </div>
          <div className="grid @double/content:col-span-7!">
            <ReportCard title="Listeners" name="listeners" choice={choice} />
          </div>
        </div>
      </div>
      {boot.demo && <OutboxPanel />}
    </AdminFrame>
  );
}

import { useQuery } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { monthOf } from '#contract/rules/report-days.ts';
import { totalsQuery, monthsQuery } from './api.ts';
import { MoneyPanel, OtherMoneyPanel, VatPanel } from './book-panels.tsx';
import { Closing } from './closing.tsx';
import { PayoutsPanel } from './payouts-panel.tsx';
import { findChosen, PeriodChoice } from './period-choice.tsx';
import { describeFailure } from '#web/lib/api/api.ts';
import { useQueryParam } from '#web/lib/location/use-query-param.ts';
import { RetryNotice } from '#web/ui/notice.tsx';
import { PanelRowsSkeleton } from '#web/ui/panel-skeleton.tsx';
import { AdminFrame } from '#web/admin/admin-frame.tsx';

const gridClass =
  'grid items-start gap-x-14 gap-y-8 *:min-w-0 @5xl/content:grid-cols-2 @double/content:grid-cols-3';

function Totals({ period }: { period: string }) {
  const { data, error, refetch } = useQuery(totalsQuery(period));
  if (error && !data)
    return (
      <RetryNotice
        title={describeFailure(error, 'Couldn’t load this period.')}
        onRetry={() => void refetch()}
      />
    );
  if (!data) return <PanelRowsSkeleton rows={4} />;
  return (
    <div className={gridClass}>
      <MoneyPanel totals={data} period={period} />
      <VatPanel totals={data} period={period} />
      <OtherMoneyPanel totals={data} period={period} />
      <PayoutsPanel period={period} />
    </div>
  );
}

export function Page() {
  const [, navigate] = useLocation();
  const { data, error, refetch } = useQuery(monthsQuery);
  const asked = { by: useQueryParam('by'), period: useQueryParam('period') };
  const chosen = data && findChosen(data, asked);
  return (
    <AdminFrame title="Books" lead="What your accountant needs.">
      {error && !data && (
        <RetryNotice
          title={describeFailure(error, 'Couldn’t load the books.')}
          onRetry={() => void refetch()}
        />
      )}
      {!data && !error && <PanelRowsSkeleton rows={4} />}
      {data && chosen && (
        <>
          <div className="flex flex-wrap items-center justify-between gap-x-8 gap-y-3">
            <PeriodChoice
              books={data}
              chosen={chosen}
              onChoose={({ kind, period }) => navigate(`/admin/books?by=${kind}&period=${period}`)}
            />
            <Closing books={data} shown={monthOf(chosen.period)} />
          </div>
          <Totals key={chosen.period} period={chosen.period} />
        </>
      )}
    </AdminFrame>
  );
}

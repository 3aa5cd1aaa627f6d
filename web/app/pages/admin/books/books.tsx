import { useQuery } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { totalsQuery, monthsQuery } from '#web/features/books/api.ts';
import {
  MoneyPanel,
  OtherMoneyPanel,
  PayoutsPanel,
  VatPanel,
} from '#web/features/books/book-panels.tsx';
import { describeFailure } from '#web/lib/api.ts';
import { formatMonth } from '#web/lib/format.ts';
import { useQueryParam } from '#web/lib/hooks/use-query-param.ts';
import { Select } from '#web/ui/forms/select.tsx';
import { RetryNotice } from '#web/ui/notice.tsx';
import { PanelRowsSkeleton } from '#web/ui/panel-skeleton.tsx';
import { AdminFrame } from '../admin-frame.tsx';

const gridClass =
  'grid items-start gap-x-14 gap-y-8 *:min-w-0 @5xl/content:grid-cols-2 @double/content:grid-cols-3';

function Totals({ month }: { month: string }) {
  const { data, error, refetch } = useQuery(totalsQuery(month));
  if (error && !data)
    return (
      <RetryNotice
        title={describeFailure(error, 'Couldn’t load this month.')}
        onRetry={() => void refetch()}
      />
    );
  if (!data) return <PanelRowsSkeleton rows={4} />;
  return (
    <div className={gridClass}>
      <MoneyPanel totals={data} />
      <VatPanel totals={data} />
      <OtherMoneyPanel totals={data} />
      <PayoutsPanel month={month} />
    </div>
  );
}

export function Page() {
  const [, navigate] = useLocation();
  const { data, error, refetch } = useQuery(monthsQuery);
  const requested = useQueryParam('month');
  const month = data?.months.find((one) => one === requested) ?? data?.months[0];
  return (
    <AdminFrame title="Books" lead="What your accountant needs, month by month.">
      {error && !data && (
        <RetryNotice
          title={describeFailure(error, 'Couldn’t load the books.')}
          onRetry={() => void refetch()}
        />
      )}
      {!data && !error && <PanelRowsSkeleton rows={4} />}
      {data && month && (
        <>
          <Select
            label="Month"
            className="self-start"
            value={month}
            onValueChange={(chosen) => navigate(`/admin/books?month=${chosen}`)}
            options={data.months.map((one) => ({ value: one, label: formatMonth(`${one}-01`) }))}
          />
          <Totals key={month} month={month} />
        </>
      )}
    </AdminFrame>
  );
}

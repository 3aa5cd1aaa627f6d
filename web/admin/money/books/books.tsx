import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { monthOf } from '#contract/rules/report-days.ts';
import { apiQuery } from '#web/lib/api/api-query.ts';
import { monthsQuery } from './api.ts';
import { MoneyPanel, OtherMoneyPanel, VatPanel } from './book-panels.tsx';
import { booksGridClass, BooksSkeleton, TotalsSkeleton } from './books-skeleton.tsx';
import { Closing } from './closing.tsx';
import { PayoutsPanel } from './payouts-panel.tsx';
import { findChosen, PeriodChoice } from './period-choice.tsx';
import { useQueryParam } from '#web/lib/location/use-query-param.ts';
import { Loaded } from '#web/ui/loaded.tsx';
import { SettingsPanel } from '#web/admin/site/settings/settings-panel.tsx';
import { AdminFrame } from '#web/admin/admin-frame.tsx';

function Totals({ period }: { period: string }) {
  return (
    <Loaded
      query={useQuery(apiQuery('GET /api/admin/books/:period', { params: { period } }))}
      failed="Couldn’t load this period."
      skeleton={<TotalsSkeleton />}
    >
      {(totals) => (
        <div className={booksGridClass}>
          <MoneyPanel totals={totals} period={period} />
          <VatPanel totals={totals} period={period} />
          <OtherMoneyPanel totals={totals} period={period} />
          <PayoutsPanel period={period} />
        </div>
      )}
    </Loaded>
  );
}

export function Page() {
  const client = useQueryClient();
  const [, navigate] = useLocation();
  const asked = { by: useQueryParam('by'), period: useQueryParam('period') };
  return (
    <AdminFrame title="Books" lead="What your accountant needs.">
      <Loaded
        query={useQuery(monthsQuery)}
        failed="Couldn’t load the books."
        skeleton={<BooksSkeleton />}
      >
        {(books) => {
          const chosen = findChosen(books, asked);
          return (
            <>
              <div className="flex flex-wrap items-center justify-between gap-x-8 gap-y-3">
                <PeriodChoice
                  books={books}
                  chosen={chosen}
                  onChoose={({ kind, period }) =>
                    navigate(`/admin/books?by=${kind}&period=${period}`)
                  }
                />
                <Closing books={books} shown={monthOf(chosen.period)} />
              </div>
              <Totals key={chosen.period} period={chosen.period} />
            </>
          );
        }}
      </Loaded>
      <SettingsPanel
        page="books"
        onSaved={() => void client.invalidateQueries({ queryKey: monthsQuery.queryKey })}
      />
    </AdminFrame>
  );
}

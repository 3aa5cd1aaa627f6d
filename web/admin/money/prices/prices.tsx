import { useQuery } from '@tanstack/react-query';
import { CURRENCY } from '#contract/rules/plans.ts';
import { NewPriceChangeForm } from './new-price-change.tsx';
import { PriceChangeList, pricesQuery } from './price-change-list.tsx';
import { formatMoney } from '#web/lib/format/format.ts';
import { Loaded } from '#web/ui/loaded.tsx';
import { SectionHead } from '#web/ui/page-head.tsx';
import { PanelRowsSkeleton } from '#web/ui/panel-skeleton.tsx';
import { AdminFrame } from '#web/admin/admin-frame.tsx';

export function Page() {
  return (
    <AdminFrame title="Prices" lead="What Premium costs new and existing subscribers.">
      <Loaded
        query={useQuery(pricesQuery)}
        failed="Couldn’t load the prices."
        skeleton={<PanelRowsSkeleton rows={4} />}
      >
        {(prices) => (
          <>
            <dl className="flex flex-wrap gap-x-12 gap-y-5">
              <PriceNow
                label="New monthly subscriptions"
                amount={prices.monthly}
                period="a month"
              />
              <PriceNow label="New annual subscriptions" amount={prices.annual} period="a year" />
            </dl>
            <div className="grid grid-cols-1 items-start gap-x-12 gap-y-9 @4xl/content:grid-cols-2">
              <section aria-labelledby="new-price">
                <SectionHead id="new-price" title="Change a price" />
                <NewPriceChangeForm />
              </section>
              <section aria-labelledby="price-changes">
                <SectionHead id="price-changes" title="Price changes" />
                <PriceChangeList changes={prices.changes} />
              </section>
            </div>
          </>
        )}
      </Loaded>
    </AdminFrame>
  );
}

/** What a new subscription costs today. */
function PriceNow({ label, amount, period }: { label: string; amount: number; period: string }) {
  return (
    <div>
      <dt className="type-label">{label}</dt>
      <dd className="mt-3 flex items-baseline gap-2 text-text-2">
        <span className="type-figure text-56 leading-none text-text">
          {formatMoney(amount, CURRENCY)}
        </span>
        {period}
      </dd>
    </div>
  );
}

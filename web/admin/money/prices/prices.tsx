import { useQuery, useQueryClient } from '@tanstack/react-query';
import { NewPriceChangeForm } from './new-price-change.tsx';
import { PriceChangeList, pricesQuery } from './price-change-list.tsx';
import { Loaded } from '#web/ui/loaded.tsx';
import { SectionHead } from '#web/ui/page-head.tsx';
import { PanelRowsSkeleton } from '#web/ui/panel-skeleton.tsx';
import { AdminFrame } from '#web/admin/admin-frame.tsx';
import { SettingsPanel } from '#web/admin/site/settings/settings-panel.tsx';

export function Page() {
  const client = useQueryClient();
  return (
    <AdminFrame title="Prices" lead="What Premium costs new and existing subscribers.">
      <SettingsPanel
        page="prices"
        onSaved={() => void client.invalidateQueries({ queryKey: pricesQuery.queryKey })}
      />
      <Loaded
        query={useQuery(pricesQuery)}
        failed="Couldn’t load the price changes."
        skeleton={<PanelRowsSkeleton rows={4} />}
      >
        {(prices) => (
          <div className="grid grid-cols-1 items-start gap-x-12 gap-y-9 @4xl/content:grid-cols-2">
            <section aria-labelledby="new-price">
              <SectionHead id="new-price" title="Change the price for everyone" />
              <NewPriceChangeForm />
            </section>
            <section aria-labelledby="price-changes">
              <SectionHead id="price-changes" title="Price changes" />
              <PriceChangeList changes={prices.changes} />
            </section>
          </div>
        )}
      </Loaded>
    </AdminFrame>
  );
}

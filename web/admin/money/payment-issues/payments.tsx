import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { IssueList, paymentIssuesQuery } from './issue-list.tsx';
import { PaymentsSkeleton } from './payments-skeleton.tsx';
import { siteSettingsQuery } from '#web/admin/site/settings/api.ts';
import { SettingsPanel } from '#web/admin/site/settings/settings-panel.tsx';
import { LoadedTogether } from '#web/ui/loaded.tsx';
import { SectionHead } from '#web/ui/page-head.tsx';
import { AdminFrame } from '#web/admin/admin-frame.tsx';

export function Page() {
  const queries = [
    useInfiniteQuery(paymentIssuesQuery('open')),
    useInfiniteQuery(paymentIssuesQuery('closed')),
    useQuery(siteSettingsQuery),
  ];
  return (
    <AdminFrame title="Payments" lead="Payments that need you.">
      <LoadedTogether queries={queries} skeleton={<PaymentsSkeleton />}>
        <section aria-labelledby="open-issues">
          <SectionHead id="open-issues" title="Open" />
          <IssueList state="open" />
        </section>
        <section aria-labelledby="closed-issues">
          <SectionHead id="closed-issues" title="Closed" />
          <IssueList state="closed" />
        </section>
        <SettingsPanel page="renewals" />
      </LoadedTogether>
    </AdminFrame>
  );
}

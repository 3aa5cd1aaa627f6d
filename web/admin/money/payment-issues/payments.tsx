import { IssueList } from './issue-list.tsx';
import { SettingsPanel } from '#web/admin/site/settings/settings-panel.tsx';
import { SectionHead } from '#web/ui/page-head.tsx';
import { AdminFrame } from '#web/admin/admin-frame.tsx';

export function Page() {
  return (
    <AdminFrame title="Payments" lead="Payments that need you.">
      <section aria-labelledby="open-issues">
        <SectionHead id="open-issues" title="Open" />
        <IssueList state="open" />
      </section>
      <section aria-labelledby="closed-issues">
        <SectionHead id="closed-issues" title="Closed" />
        <IssueList state="closed" />
      </section>
      <SettingsPanel page="renewals" />
    </AdminFrame>
  );
}

import { OutboxPanel } from '#web/features/outbox/outbox-panel.tsx';
import { boot } from '#web/lib/boot.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { AdminFrame } from './admin-frame.tsx';

export function AdminDashboardPage() {
  return (
    <AdminFrame title="Admin Dashboard">
      <EmptyState title="No release this week yet">
        This week’s mix, live figures and whatever needs attention stand here once there is a
        catalogue.
      </EmptyState>
      {boot.demo && <OutboxPanel />}
    </AdminFrame>
  );
}

import { EmptyState } from '#web/ui/empty-state.tsx';
import { AdminFrame } from './admin-frame.tsx';

export function AdminReportsPage() {
  return (
    <AdminFrame title="Reports">
      <EmptyState glyph="waiting" title="No figures yet">
        Reports are drawn from plays and payments. None have been recorded.
      </EmptyState>
    </AdminFrame>
  );
}

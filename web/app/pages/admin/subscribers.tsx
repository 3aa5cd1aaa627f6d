import { EmptyState } from '#web/ui/empty-state.tsx';
import { AdminFrame } from './admin-frame.tsx';

export function AdminSubscribersPage() {
  return (
    <AdminFrame title="Subscribers">
      <EmptyState glyph="waiting" title="No subscriptions yet">
        People and what they paid for are listed here from the first payment on.
      </EmptyState>
    </AdminFrame>
  );
}

import { EmptyState } from '#web/ui/empty-state.tsx';
import { AdminFrame } from './admin-frame.tsx';

export function AdminEditTrackPage() {
  return (
    <AdminFrame title="Edit track">
      <EmptyState glyph="nothing" title="This mix does not exist">
        The catalogue has no mix with this address.
      </EmptyState>
    </AdminFrame>
  );
}

import { EmptyState } from '#web/ui/empty-state.tsx';
import { AdminFrame } from './admin-frame.tsx';

export function AdminTrackManagementPage() {
  return (
    <AdminFrame title="Track management">
      <EmptyState glyph="waiting" title="Nothing to manage yet">
        Uploaded mixes are published, scheduled, moved and deleted here, many at a time.
      </EmptyState>
    </AdminFrame>
  );
}

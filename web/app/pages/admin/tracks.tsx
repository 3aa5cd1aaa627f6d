import { EmptyState } from '#web/ui/empty-state.tsx';
import { AdminFrame } from './admin-frame.tsx';

export function AdminTracksPage() {
  return (
    <AdminFrame title="Tracks">
      <EmptyState glyph="waiting" title="The catalogue is empty">
        Every mix stands here with its figures and files once one has been uploaded.
      </EmptyState>
    </AdminFrame>
  );
}

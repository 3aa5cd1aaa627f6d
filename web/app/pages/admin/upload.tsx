import { EmptyState } from '#web/ui/empty-state.tsx';
import { AdminFrame } from './admin-frame.tsx';

export function AdminUploadPage() {
  return (
    <AdminFrame title="Upload">
      <EmptyState glyph="locked" title="Uploads are not open">
        This server does not take audio files yet. Nothing you drop here would be kept.
      </EmptyState>
    </AdminFrame>
  );
}

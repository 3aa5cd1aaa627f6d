import { EmptyState } from '#web/ui/empty-state.tsx';
import { AdminFrame } from './admin-frame.tsx';

export function AdminUploadOldPage() {
  return (
    <AdminFrame title="Plain upload">
      <EmptyState glyph="locked" title="Uploads are not open">
        This server does not take audio files yet. The plain form for browsers without scripting has
        its place here.
      </EmptyState>
    </AdminFrame>
  );
}

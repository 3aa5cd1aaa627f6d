import { EmptyState } from '#web/ui/empty-state.tsx';
import { AdminFrame } from './admin-frame.tsx';

export function AdminSimpleUploadPage() {
  return (
    <AdminFrame title="Simple upload">
      <EmptyState glyph="locked" title="Uploads are not open">
        This server does not take audio files yet. One mix in one short form will be sent from here.
      </EmptyState>
    </AdminFrame>
  );
}

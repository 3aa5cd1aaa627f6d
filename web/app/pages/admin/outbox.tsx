import { OutboxPanel } from '#web/features/outbox/outbox-panel.tsx';
import { boot } from '#web/lib/boot.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { AdminFrame } from './admin-frame.tsx';

export function AdminOutboxPage() {
  return (
    <AdminFrame title="Outbox" lead="Messages that demo mode keeps instead of sending.">
      {boot.demo ? (
        <OutboxPanel />
      ) : (
        <EmptyState glyph="locked" title="Messages are sent">
          Outside demo mode nobody reads what goes to others. The settings page sends a test
          message.
        </EmptyState>
      )}
    </AdminFrame>
  );
}

import { OutboxPanel } from './outbox-panel.tsx';
import { boot } from '#web/lib/store/boot.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { AdminFrame } from '#web/admin/admin-frame.tsx';

export function Page() {
  return (
    <AdminFrame title="System" lead="In demo mode e-mails land here instead of being sent.">
      {boot.demo ? (
        <OutboxPanel isTitleHidden />
      ) : (
        <EmptyState
          glyph="locked"
          title="E-mails are sent"
          text="Outside demo mode, e-mails are private. To check that they arrive, send a test message from the settings page."
        />
      )}
    </AdminFrame>
  );
}

import { AdminFrame } from '#web/admin/admin-frame.tsx';
import { SettingsPanel } from '#web/admin/site/settings/settings-panel.tsx';

export function Page() {
  return (
    <AdminFrame
      title="Look"
      lead="Your name, your logo and your words, everywhere people meet you."
    >
      <SettingsPanel page="look" />
    </AdminFrame>
  );
}

import { AdminFrame } from '#web/admin/admin-frame.tsx';
import { SettingsPanel } from './settings-panel.tsx';

export function Page() {
  return (
    <AdminFrame title="System" lead="What the site goes by, and how long it remembers.">
      <SettingsPanel page="system" />
    </AdminFrame>
  );
}

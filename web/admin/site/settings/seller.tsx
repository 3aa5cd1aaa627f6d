import { AdminFrame } from '#web/admin/admin-frame.tsx';
import { SettingsPanel } from './settings-panel.tsx';

export function Page() {
  return (
    <AdminFrame
      title="Seller, VAT and legal"
      lead="Who sells: on invoices, legal pages and the contact page."
    >
      <SettingsPanel page="seller" />
    </AdminFrame>
  );
}

import { SettingRow } from '#web/ui/forms/settings.tsx';
import { Switch } from '#web/ui/forms/switch.tsx';
import { PreferenceSwitch } from './preference-switch.tsx';

export function EmailSettings() {
  return (
    <>
      <PreferenceSwitch
        name="releaseMails"
        label="New releases"
        hint="Get an e-mail when a new mix is out. You can unsubscribe from any of them."
      />
      <PreferenceSwitch
        name="newsMails"
        label="Product news"
        hint="Occasional news about what’s changed."
      />
      <SettingRow>
        <Switch
          label="Payments and security"
          hint="Receipts, failed payments and account changes. Always on."
          checked
          disabled
          onCheckedChange={() => undefined}
        />
      </SettingRow>
    </>
  );
}

import { SettingRow } from '#web/ui/forms/settings.tsx';
import { Switch } from '#web/ui/forms/switch.tsx';
import { PreferenceSwitch } from './preference-switch.tsx';

export function EmailSettings() {
  return (
    <>
      <PreferenceSwitch
        name="releaseMails"
        label="New releases"
        hint="A message when a new mix is out. Every one has a link that ends them."
      />
      <PreferenceSwitch
        name="newsMails"
        label="Product news"
        hint="Now and then, what has changed here."
      />
      <SettingRow>
        <Switch
          label="Payments and security"
          hint="Receipts, failed payments and changes of your account are always sent."
          checked
          disabled
          onCheckedChange={() => undefined}
        />
      </SettingRow>
    </>
  );
}

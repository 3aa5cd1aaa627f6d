import { isTrackingRefused } from '#web/lib/analytics/analytics-choice.ts';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { SettingRow } from '#web/ui/forms/settings.tsx';
import { PreferenceSwitch } from './preference-switch.tsx';
import { lazyOverlay } from '#web/ui/overlays/lazy-overlay.tsx';

const useDeleteAccountDialog = lazyOverlay(
  'dialog',
  () => import('./delete-account-dialog.tsx'),
  'DeleteAccountDialog',
);

export function PrivacySettings({ onLeave }: { onLeave: () => void }) {
  const { buttonProps, render } = useDeleteAccountDialog();
  const hasDoNotTrack = isTrackingRefused(navigator);
  return (
    <>
      <PreferenceSwitch
        name="analytics"
        label="Usage statistics"
        hint={
          hasDoNotTrack
            ? 'Your browser sends Do Not Track, so nothing is collected, whatever you choose here.'
            : 'Helps us see what works. When it’s off, nothing is sent from your browser. We respect Do Not Track.'
        }
      />
      <SettingRow label="Download my data" hint="Everything we store about you, in one ZIP file.">
        <a href="/api/me/export" download className={buttonClass({ variant: 'line' })}>
          Download my data
        </a>
      </SettingRow>
      <SettingRow label="Delete my account" hint="Permanently erases your personal data (POPIA).">
        <Button variant="danger" {...buttonProps}>
          Delete my account…
        </Button>
        {render({ onLeave })}
      </SettingRow>
    </>
  );
}

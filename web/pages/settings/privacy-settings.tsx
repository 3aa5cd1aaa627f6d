import { isTrackingRefused } from '#web/lib/analytics/analytics-choice.ts';
import { boot } from '#web/lib/store/boot.ts';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { SettingRow } from '#web/ui/forms/settings.tsx';
import { PreferenceSwitch } from './preference-switch.tsx';
import { lazyOverlay } from '#web/ui/overlays/lazy-overlay.tsx';

const useDeleteAccountDialog = lazyOverlay(
  'dialog',
  () => import('./delete-account-dialog.tsx'),
  'DeleteAccountDialog',
);

const useOwnMomentsDialog = lazyOverlay(
  'dialog',
  () => import('./own-moments-dialog.tsx'),
  'OwnMomentsDialog',
);

export function PrivacySettings({ onLeave }: { onLeave: () => void }) {
  const moments = useOwnMomentsDialog();
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
      {boot.hasMoments && (
        <SettingRow label="Your moments" hint="The lines you left at mixes. Members can read them.">
          <Button variant="line" {...moments.buttonProps}>
            Show my moments
          </Button>
          {moments.render({})}
        </SettingRow>
      )}
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

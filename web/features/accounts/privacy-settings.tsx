import { Suspense, useState } from 'react';
import { isTrackingRefused } from '#web/lib/analytics-choice.ts';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { SettingRow } from '#web/ui/forms/settings.tsx';
import { PreferenceSwitch } from './preference-switch.tsx';
import { lazyComponent } from '#web/lib/lazy-component.ts';

const DeleteAccountDialog = lazyComponent(
  () => import('./delete-account-dialog.tsx'),
  'DeleteAccountDialog',
);

export function PrivacySettings({ onLeave }: { onLeave: () => void }) {
  const [isDeleting, setDeleting] = useState(false);
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
        <Button variant="danger" onClick={() => setDeleting(true)}>
          Delete my account…
        </Button>
        <Suspense>
          {isDeleting && <DeleteAccountDialog open onOpenChange={setDeleting} onLeave={onLeave} />}
        </Suspense>
      </SettingRow>
    </>
  );
}

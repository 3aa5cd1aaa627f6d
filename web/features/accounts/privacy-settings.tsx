import { lazy, Suspense, useState } from 'react';
import { asksNotToBeTracked } from '#web/lib/analytics-choice.ts';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { SettingRow } from '#web/ui/forms/settings.tsx';
import { PreferenceSwitch } from './preference-switch.tsx';

const DeleteAccount = lazy(() =>
  import('./delete-account.tsx').then((module) => ({ default: module.DeleteAccount })),
);

export function PrivacySettings({ onLeave }: { onLeave: () => void }) {
  const [isDeleting, setDeleting] = useState(false);
  const isAsked = asksNotToBeTracked(navigator);
  return (
    <>
      <PreferenceSwitch
        name="analytics"
        label="Usage statistics"
        hint={
          isAsked
            ? 'Your browser asks not to be tracked, so nothing is sent from here, whatever is set.'
            : 'They show us what works. Turned off, no event leaves your browser. Do Not Track is honoured.'
        }
      />
      <SettingRow label="Download my data" hint="Everything we keep about you, as one ZIP archive.">
        <a href="/api/me/export" download className={buttonClass({ variant: 'line' })}>
          Download my data
        </a>
      </SettingRow>
      <SettingRow
        label="Delete my account"
        hint="Everything personal goes, at once and for good (POPIA)."
      >
        <Button variant="danger" onClick={() => setDeleting(true)}>
          Delete my account…
        </Button>
        <Suspense>
          {isDeleting && <DeleteAccount open onOpenChange={setDeleting} onLeave={onLeave} />}
        </Suspense>
      </SettingRow>
    </>
  );
}

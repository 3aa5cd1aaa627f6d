import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { showToast } from '#web/lib/toasts.ts';
import { Button } from '#web/ui/button.tsx';
import { SettingRow } from '#web/ui/forms/settings.tsx';
import { PasswordForm } from './password-form.tsx';
import { totpQuery } from './security-api.ts';
import { SessionsList } from './sessions-list.tsx';

// The picture of the secret is drawn by a library that nothing else needs.
const TotpSetup = lazy(() =>
  import('./totp-setup.tsx').then((module) => ({ default: module.TotpSetup })),
);
const TotpEnd = lazy(() =>
  import('./totp-end.tsx').then((module) => ({ default: module.TotpEnd })),
);

const TotpRenewal = lazy(() =>
  import('./totp-renewal.tsx').then((module) => ({ default: module.TotpRenewal })),
);

export function SecuritySettings() {
  return (
    <>
      <ChangePassword />
      <TwoStepLogin />
      <SessionsList />
    </>
  );
}

function ChangePassword() {
  const [isOpen, setOpen] = useState(false);
  const done = () => {
    setOpen(false);
    showToast({ title: 'Password changed', description: 'Every other device is signed out.' });
  };
  return (
    <>
      <SettingRow label="Password" hint="A message tells you when it was changed.">
        <Button variant="line" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Keep it' : 'Change password…'}
        </Button>
      </SettingRow>
      {isOpen && (
        <div className="max-w-[420px] pb-6">
          <PasswordForm onDone={done} />
        </div>
      )}
    </>
  );
}

const describeTotp = (isOn: boolean, left: number): string =>
  isOn
    ? `On: a login asks for a code. ${left === 1 ? '1 recovery code is' : `${left} recovery codes are`} left.`
    : 'Off. Turned on, a login also asks for a code from an app on your phone.';

function TwoStepLogin() {
  const { data: totp, isError, refetch } = useQuery(totpQuery);
  // Decided when it is opened: turning it on must not take the recovery codes away from the reader.
  const [dialog, setDialog] = useState<'setup' | 'renewal' | 'end' | null>(null);
  const onOpenChange = (open: boolean) => {
    if (!open) setDialog(null);
  };
  return (
    <SettingRow
      label="Two-step login"
      hint={
        totp
          ? describeTotp(totp.isOn, totp.recoveryCodesLeft)
          : isError
            ? 'Whether it is on could not be read.'
            : 'Looking…'
      }
    >
      <div className="flex flex-wrap gap-2">
        {totp?.isOn && (
          <Button variant="line" onClick={() => setDialog('renewal')}>
            New recovery codes…
          </Button>
        )}
        {isError && !totp ? (
          <Button variant="line" onClick={() => void refetch()}>
            Try again
          </Button>
        ) : (
          <Button
            variant="line"
            disabled={!totp}
            onClick={() => setDialog(totp?.isOn ? 'end' : 'setup')}
          >
            {totp?.isOn ? 'Turn off…' : 'Turn on…'}
          </Button>
        )}
      </div>
      <Suspense>
        {dialog === 'setup' && <TotpSetup open onOpenChange={onOpenChange} />}
        {dialog === 'renewal' && <TotpRenewal open onOpenChange={onOpenChange} />}
        {dialog === 'end' && <TotpEnd open onOpenChange={onOpenChange} />}
      </Suspense>
    </SettingRow>
  );
}

import { useQueryClient, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ChangePasswordBody, type TotpState } from '#contract/security.ts';
import { useCurrentUser } from '#web/lib/api/current-user.ts';
import { formatCount } from '#web/lib/format/format.ts';
import { showToast } from '#web/lib/store/toasts.ts';
import { Button } from '#web/ui/button.tsx';
import { SettingRow } from '#web/ui/forms/settings.tsx';
import {
  CodeField,
  CurrentPasswordField,
  NewPasswordField,
} from '#web/features/accounts/account-fields.tsx';
import { AccountForm } from '#web/features/accounts/account-form.tsx';
import { ConfirmIdentity } from '#web/features/accounts/confirm-identity.tsx';
import { SendLinkAgain } from '#web/features/accounts/email-address.tsx';
import { PasskeysList } from './passkeys-list.tsx';
import { SessionsList } from './sessions-list.tsx';
import { call } from '#web/lib/api/api.ts';
import { reloadSessions, totpQuery } from '#web/features/accounts/settings-api.ts';
import { lazyPanel } from '#web/ui/overlays/lazy-overlay.tsx';
import { RecoveryCodesDialog, TotpOffDialog } from './totp-dialogs.tsx';

// Nothing else needs the library that draws the QR code.
const TotpSetupDialog = lazyPanel(() => import('./totp-setup-dialog.tsx'), 'TotpSetupDialog');

export function SecuritySettings() {
  return (
    <>
      <ChangePassword />
      <TwoStepLogin />
      <PasskeysList />
      <SessionsList />
      <ConfirmIdentity />
    </>
  );
}

function ChangePassword() {
  const [isOpen, setOpen] = useState(false);
  const done = () => {
    setOpen(false);
    showToast({
      title: 'Password changed',
      description: 'All other devices have been logged out.',
    });
  };
  return (
    <>
      <SettingRow label="Password" hint="We’ll e-mail you whenever it changes.">
        <Button variant="line" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Cancel' : 'Change password…'}
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

function describeTotp({ isOn, recoveryCodesLeft, isEmailConfirmed }: TotpState, email: string) {
  const link = `open the link we’ve sent to ${email}.`;
  if (isOn) {
    const left = `On. ${formatCount(recoveryCodesLeft, 'recovery code')} left.`;
    return isEmailConfirmed ? left : `${left} Confirm your e-mail address: ${link}`;
  }
  return isEmailConfirmed
    ? 'Off. When on, logging in also needs a code from your authenticator app.'
    : `Off. To turn it on, confirm your e-mail address first: ${link}`;
}

function TwoStepLogin() {
  const { user } = useCurrentUser();
  const email = user?.unconfirmedEmail ?? user?.email ?? '';
  const { data, isError, refetch } = useQuery(totpQuery);
  // The account learns first that its link was opened, in another tab or on another device.
  const totp = data && user && !user.unconfirmedEmail ? { ...data, isEmailConfirmed: true } : data;
  // Stays open after turning it on, so that the user can read the recovery codes.
  const [dialog, setDialog] = useState<'setup' | 'codes' | 'off' | null>(null);
  const onOpenChange = (open: boolean) => {
    if (!open) setDialog(null);
  };
  return (
    <SettingRow
      label="Two-step login"
      hint={totp ? describeTotp(totp, email) : isError ? 'Couldn’t check the status.' : 'Loading…'}
    >
      <div className="flex flex-wrap gap-2">
        {totp && !totp.isEmailConfirmed && <SendLinkAgain email={email} />}
        {totp?.isOn && (
          <Button variant="line" onClick={() => setDialog('codes')}>
            New recovery codes…
          </Button>
        )}
        {isError && !totp ? (
          <Button variant="line" onClick={() => void refetch()}>
            Try again
          </Button>
        ) : (
          (!totp || totp.isOn || totp.isEmailConfirmed) && (
            <Button
              variant="line"
              disabled={!totp}
              onClick={() => setDialog(totp?.isOn ? 'off' : 'setup')}
            >
              {totp?.isOn ? 'Turn off…' : 'Turn on…'}
            </Button>
          )
        )}
      </div>
      {dialog === 'setup' && (
        <TotpSetupDialog open onOpenChange={onOpenChange} onFail={() => setDialog(null)} />
      )}
      {dialog === 'codes' && <RecoveryCodesDialog open onOpenChange={onOpenChange} />}
      {dialog === 'off' && <TotpOffDialog open onOpenChange={onOpenChange} />}
    </SettingRow>
  );
}

function PasswordForm({ onDone }: { onDone: () => void }) {
  const { data: totp } = useQuery(totpQuery);
  const client = useQueryClient();
  return (
    <AccountForm
      schema={ChangePasswordBody}
      submitLabel="Change password"
      onSubmit={async ({ code, ...passwords }) => {
        const body = { ...passwords, ...(code !== undefined && { code }) };
        await call('POST /api/me/password', { body });
        await reloadSessions(client);
        onDone();
      }}
      failed="Couldn’t change your password."
    >
      {(errors) => (
        <>
          <CurrentPasswordField name="currentPassword" error={errors.currentPassword} />
          <NewPasswordField
            name="newPassword"
            hint="8 to 128 characters. You’ll be logged out on all other devices, and your music and podcast apps have to be connected again."
            error={errors.newPassword}
          />
          {totp?.isOn && <CodeField error={errors.code} hint="Or enter a recovery code." />}
        </>
      )}
    </AccountForm>
  );
}

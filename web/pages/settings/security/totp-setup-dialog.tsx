import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { StartTotpBody, ConfirmTotpBody } from '#contract/security.ts';
import { Dialog, DialogContent } from '#web/ui/overlays/dialog.tsx';
import { QrCode } from '#web/ui/qr-code.tsx';
import { CodeField, CurrentPasswordField } from '#web/features/accounts/account-fields.tsx';
import { AccountForm } from '#web/features/accounts/account-form.tsx';
import { RecoveryCodes, RECOVERY_CODES_TEXT } from './recovery-codes.tsx';
import { call } from '#web/lib/api/api.ts';
import { reloadTotp, startTotpMutation } from '#web/features/accounts/settings-api.ts';

type Secret = { secret: string; uri: string };
type DialogProps = { open: boolean; onOpenChange: (open: boolean) => void };

/** Three steps: the password, the QR code with a first code, and the recovery codes. */
export function TotpSetupDialog({ open, onOpenChange }: DialogProps) {
  const [secret, setSecret] = useState<Secret | null>(null);
  const [codes, setCodes] = useState<string[] | null>(null);
  const done = () => onOpenChange(false);
  const head = codes
    ? RECOVERY_CODES_TEXT
    : secret
      ? {
          title: 'Scan the QR code',
          description: 'Open your authenticator app and scan it, then enter the code it shows.',
        }
      : {
          title: 'Two-step login',
          description: 'Confirm your password first.',
        };
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      {/* A stray tap must not take away codes that are shown only once. */}
      <DialogContent {...head} onInteractOutside={(event) => codes && event.preventDefault()}>
        {codes ? (
          <RecoveryCodes codes={codes} onDone={done} />
        ) : secret ? (
          <ConfirmStep {...secret} onDone={setCodes} />
        ) : (
          <PasswordStep onDone={setSecret} />
        )}
      </DialogContent>
    </Dialog>
  );
}

function PasswordStep({ onDone }: { onDone: (secret: Secret) => void }) {
  const start = useMutation(startTotpMutation);
  return (
    <AccountForm
      schema={StartTotpBody}
      submitLabel="Continue"
      onSubmit={async (body) => onDone(await start.mutateAsync(body))}
      failed="Couldn’t start two-step login."
    >
      {(errors) => <CurrentPasswordField error={errors.password} />}
    </AccountForm>
  );
}

function ConfirmStep({ secret, uri, onDone }: Secret & { onDone: (codes: string[]) => void }) {
  const client = useQueryClient();
  return (
    <AccountForm
      schema={ConfirmTotpBody}
      submitLabel="Turn on"
      onSubmit={async (body) => {
        const { recoveryCodes } = await call('POST /api/me/totp/confirm', { body });
        await reloadTotp(client);
        onDone(recoveryCodes);
      }}
      failed="Couldn’t turn on two-step login."
    >
      {(errors) => (
        <>
          <QrCode text={uri} label="QR code for your authenticator app" />
          <p className="text-13 text-text-2">
            Or enter this key manually:{' '}
            <code className="font-mono break-all text-text">{secret.replace(/.{4}/g, '$& ')}</code>
          </p>
          <CodeField error={errors.code} />
        </>
      )}
    </AccountForm>
  );
}

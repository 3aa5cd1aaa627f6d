import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { BeginTotpBody, ConfirmTotpBody } from '#contract/security.ts';
import { describeFailure } from '#web/lib/api.ts';
import { Dialog, DialogContent } from '#web/ui/overlays/dialog.tsx';
import { PasswordField } from '#web/ui/forms/field.tsx';
import { AccountForm } from './account-form.tsx';
import { CodeField } from './code-field.tsx';
import { QrPicture } from './qr-picture.tsx';
import { RecoveryCodes, RECOVERY_CODES_TEXT } from './recovery-codes.tsx';
import { beginTotpMutation, confirmTotpMutation } from './security-api.ts';

type Secret = { secret: string; uri: string };
type DialogProps = { open: boolean; onOpenChange: (open: boolean) => void };

/** Password, picture and first code, recovery codes: three steps, each only after the one before. */
export function TotpSetup({ open, onOpenChange }: DialogProps) {
  const [begun, setBegun] = useState<Secret | null>(null);
  const [codes, setCodes] = useState<string[] | null>(null);
  const done = () => onOpenChange(false);
  const head = codes
    ? RECOVERY_CODES_TEXT
    : begun
      ? {
          title: 'Scan the picture',
          description: 'Open your authenticator app and scan it, then enter the code it shows.',
        }
      : {
          title: 'Two-step login',
          description: 'First your password, so that nobody else can lock you out.',
        };
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent {...head}>
        {codes ? (
          <RecoveryCodes codes={codes} onDone={done} />
        ) : begun ? (
          <ConfirmStep {...begun} onDone={setCodes} />
        ) : (
          <PasswordStep onDone={setBegun} />
        )}
      </DialogContent>
    </Dialog>
  );
}

function PasswordStep({ onDone }: { onDone: (secret: Secret) => void }) {
  const begin = useMutation(beginTotpMutation);
  return (
    <AccountForm
      schema={BeginTotpBody}
      submitLabel="Continue"
      onSubmit={async (body) => onDone(await begin.mutateAsync(body))}
      describeFailure={(error) => describeFailure(error, 'Two-step login could not be begun.')}
    >
      {(errors) => (
        <PasswordField
          label="Current password"
          name="password"
          autoComplete="current-password"
          required
          error={errors.password}
        />
      )}
    </AccountForm>
  );
}

function ConfirmStep({ secret, uri, onDone }: Secret & { onDone: (codes: string[]) => void }) {
  const confirm = useMutation(confirmTotpMutation(useQueryClient()));
  return (
    <AccountForm
      schema={ConfirmTotpBody}
      submitLabel="Turn on"
      onSubmit={async (body) => onDone((await confirm.mutateAsync(body)).recoveryCodes)}
      describeFailure={(error) => describeFailure(error, 'Two-step login could not be turned on.')}
    >
      {(errors) => (
        <>
          <QrPicture text={uri} label="The secret as a QR code" />
          <p className="text-13 text-text-2">
            Or type this secret into the app:{' '}
            <code className="font-mono break-all text-text">{secret.replace(/.{4}/g, '$& ')}</code>
          </p>
          <CodeField error={errors.code} />
        </>
      )}
    </AccountForm>
  );
}

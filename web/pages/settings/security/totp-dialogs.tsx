import { useQueryClient } from '@tanstack/react-query';
import { useState, type ComponentProps } from 'react';
import { PasswordAndCodeBody } from '#contract/security.ts';
import { showToast } from '#web/lib/store/toasts.ts';
import { Dialog, DialogContent } from '#web/ui/overlays/dialog.tsx';
import { CodeField, CurrentPasswordField } from '#web/features/accounts/account-fields.tsx';
import { AccountForm } from '#web/features/accounts/account-form.tsx';
import { RecoveryCodes, RECOVERY_CODES_TEXT } from './recovery-codes.tsx';
import { call } from '#web/lib/api/api.ts';
import { reloadTotp } from '#web/features/accounts/settings-api.ts';

type PasswordAndCodeFormProps = Omit<
  ComponentProps<typeof AccountForm<typeof PasswordAndCodeBody>>,
  'schema' | 'children'
>;

const PasswordAndCodeForm = (props: PasswordAndCodeFormProps) => (
  <AccountForm {...props} schema={PasswordAndCodeBody}>
    {(errors) => (
      <>
        <CurrentPasswordField error={errors.password} />
        <CodeField error={errors.code} hint="Or enter a recovery code." />
      </>
    )}
  </AccountForm>
);

type DialogProps = { open: boolean; onOpenChange: (open: boolean) => void };

export function TotpOffDialog({ open, onOpenChange }: DialogProps) {
  const client = useQueryClient();
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent
        title="Turn off two-step login"
        description="You’ll only need your password to log in. Your recovery codes will stop working."
      >
        <PasswordAndCodeForm
          submitLabel="Turn off"
          isDestructive
          onSubmit={async (body) => {
            await call('DELETE /api/me/totp', { body });
            await reloadTotp(client);
            onOpenChange(false);
            showToast({ title: 'Two-step login is off' });
          }}
          failed="Couldn’t turn off two-step login."
        />
      </DialogContent>
    </Dialog>
  );
}

export function RecoveryCodesDialog({ open, onOpenChange }: DialogProps) {
  const client = useQueryClient();
  const [codes, setCodes] = useState<string[] | null>(null);
  const head = codes
    ? RECOVERY_CODES_TEXT
    : {
        title: 'New recovery codes',
        description: 'You’ll get ten new codes. Your old ones will stop working.',
      };
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      {/* A stray tap must not take away codes that are shown only once. */}
      <DialogContent {...head} onInteractOutside={(event) => codes && event.preventDefault()}>
        {codes ? (
          <RecoveryCodes codes={codes} onDone={() => onOpenChange(false)} />
        ) : (
          <PasswordAndCodeForm
            submitLabel="Generate new codes"
            onSubmit={async (body) => {
              const { recoveryCodes } = await call('POST /api/me/totp/recovery-codes', { body });
              await reloadTotp(client);
              setCodes(recoveryCodes);
            }}
            failed="Couldn’t generate new codes."
          />
        )}
      </DialogContent>
    </Dialog>
  );
}

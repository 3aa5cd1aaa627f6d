import { useQuery, useQueryClient } from '@tanstack/react-query';
import { DELETE_WORD, DeleteAccountBody } from '#contract/privacy.ts';
import { showToast } from '#web/lib/store/toasts.ts';
import { Field } from '#web/ui/forms/field.tsx';
import { Dialog, DialogContent } from '#web/ui/overlays/dialog.tsx';
import { CodeField, CurrentPasswordField } from '#web/features/accounts/account-fields.tsx';
import { AccountForm } from '#web/features/accounts/account-form.tsx';
import { clearUser } from '#web/features/accounts/api.ts';
import { call } from '#web/lib/api/api.ts';
import { totpQuery } from '#web/features/accounts/settings-api.ts';

type DialogProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** Goes to a public page. */
  onLeave: () => void;
};

export function DeleteAccountDialog({ open, onOpenChange, onLeave }: DialogProps) {
  const { data: totp } = useQuery(totpQuery);
  const client = useQueryClient();
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent
        title="Delete my account"
        description="This permanently deletes your favorites, playlists, history and downloads on every device. Play counts stay, without your name. This can’t be undone."
      >
        <AccountForm
          schema={DeleteAccountBody}
          submitLabel="Delete permanently"
          isDestructive
          onSubmit={async ({ password, code, confirmation }) => {
            const body = { password, confirmation, ...(code && { code }) };
            await call('DELETE /api/me', { body });
            await clearUser(client, onLeave);
            showToast({ title: 'Your account has been deleted' });
          }}
          failed="Couldn’t delete your account."
        >
          {(errors) => (
            <>
              <CurrentPasswordField error={errors.password} />
              {totp?.isOn && <CodeField error={errors.code} hint="Or enter a recovery code." />}
              <Field
                label={`Type ${DELETE_WORD} to confirm`}
                name="confirmation"
                autoComplete="off"
                autoCapitalize="none"
                spellCheck={false}
                required
                error={errors.confirmation}
              />
            </>
          )}
        </AccountForm>
      </DialogContent>
    </Dialog>
  );
}

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { DELETE_WORD, DeleteAccountBody } from '#contract/privacy.ts';
import { describeFailure } from '#web/lib/api.ts';
import { showToast } from '#web/lib/toasts.ts';
import { Dialog, DialogContent } from '#web/ui/overlays/dialog.tsx';
import { Field, PasswordField } from '#web/ui/forms/field.tsx';
import { AccountForm } from './account-form.tsx';
import { CodeField } from './code-field.tsx';
import { deleteAccountMutation, totpQuery } from './security-api.ts';

type DialogProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** To a page that is there for everybody. */
  onLeave: () => void;
};

export function DeleteAccount({ open, onOpenChange, onLeave }: DialogProps) {
  const { data: totp } = useQuery(totpQuery);
  const remove = useMutation(deleteAccountMutation(useQueryClient(), onLeave));
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent
        title="Delete my account"
        description="Your favorites, playlists, history and downloads go with it, on every device. What was played stays counted, without you. This cannot be undone."
      >
        <AccountForm
          schema={DeleteAccountBody}
          submitLabel="Delete for good"
          isDestructive
          onSubmit={async ({ password, code, confirmation }) => {
            await remove.mutateAsync({ password, confirmation, ...(code && { code }) });
            showToast({ title: 'Your account is deleted' });
          }}
          describeFailure={(error) => describeFailure(error, 'The account could not be deleted.')}
        >
          {(errors) => (
            <>
              <PasswordField
                label="Current password"
                name="password"
                autoComplete="current-password"
                required
                error={errors.password}
              />
              {totp?.isOn && (
                <CodeField error={errors.code} hint="Or one of the recovery codes you kept." />
              )}
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

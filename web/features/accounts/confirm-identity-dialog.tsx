import { useMutation, useQuery } from '@tanstack/react-query';
import { ConfirmIdentityBody } from '#contract/security.ts';
import { Dialog, DialogContent } from '#web/ui/overlays/dialog.tsx';
import { CodeField, CurrentPasswordField } from './account-fields.tsx';
import { AccountForm } from './account-form.tsx';
import { confirmIdentityMutation, totpQuery } from './settings-api.ts';

export function ConfirmIdentityDialog({ onAnswer }: { onAnswer: (isConfirmed: boolean) => void }) {
  const { data: totp } = useQuery(totpQuery);
  const confirm = useMutation(confirmIdentityMutation);
  return (
    <Dialog open onOpenChange={(open) => !open && onAnswer(false)}>
      <DialogContent
        title="Enter your password"
        description="This needs more than being logged in. We won’t ask again for ten minutes."
      >
        <AccountForm
          schema={ConfirmIdentityBody}
          submitLabel="Continue"
          onSubmit={async ({ password, code }) => {
            await confirm.mutateAsync({ password, ...(code !== undefined && { code }) });
            onAnswer(true);
          }}
          failed="Couldn’t check your password."
        >
          {(errors) => (
            <>
              <CurrentPasswordField label="Password" error={errors.password} />
              {totp?.isOn && <CodeField error={errors.code} hint="Or enter a recovery code." />}
            </>
          )}
        </AccountForm>
      </DialogContent>
    </Dialog>
  );
}

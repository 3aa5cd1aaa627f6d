import { useQuery } from '@tanstack/react-query';
import { ConfirmIdentityBody } from '#contract/security.ts';
import { Dialog, DialogContent } from '#web/ui/overlays/dialog.tsx';
import { CodeField, CurrentPasswordField } from './account-fields.tsx';
import { AccountForm } from './account-form.tsx';
import { call } from '#web/lib/api/api.ts';
import { totpQuery } from './settings-api.ts';

export function ConfirmIdentityDialog({ onAnswer }: { onAnswer: (isConfirmed: boolean) => void }) {
  const { data: totp } = useQuery(totpQuery);
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
            const body = { password, ...(code !== undefined && { code }) };
            await call('POST /api/me/confirm', { body });
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

import { useMutation } from '@tanstack/react-query';
import { ResetConfirmBody } from '#contract/accounts.ts';
import { describeFailure } from '#web/lib/api.ts';
import { PasswordField } from '#web/ui/forms/field.tsx';
import { AccountForm } from './account-form.tsx';
import { confirmResetMutation } from './api.ts';

const NewPasswordBody = ResetConfirmBody.pick({ password: true });

export function ResetPasswordForm({ token, onDone }: { token: string; onDone: () => void }) {
  const confirm = useMutation(confirmResetMutation);
  return (
    <AccountForm
      schema={NewPasswordBody}
      submitLabel="Set new password"
      onSubmit={async ({ password }) => {
        await confirm.mutateAsync({ token, password });
        onDone();
      }}
      describeFailure={(error) => describeFailure(error, 'The password could not be changed.')}
    >
      {(errors) => (
        <PasswordField
          label="New password"
          name="password"
          autoComplete="new-password"
          required
          hint="8 to 128 characters. Every device is signed out."
          error={errors.password}
        />
      )}
    </AccountForm>
  );
}

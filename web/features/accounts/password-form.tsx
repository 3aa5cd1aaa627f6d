import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ChangePasswordBody } from '#contract/security.ts';
import { describeFailure } from '#web/lib/api.ts';
import { PasswordField } from '#web/ui/forms/field.tsx';
import { AccountForm } from './account-form.tsx';
import { changePasswordMutation } from './security-api.ts';

export function PasswordForm({ onDone }: { onDone: () => void }) {
  const change = useMutation(changePasswordMutation(useQueryClient()));
  return (
    <AccountForm
      schema={ChangePasswordBody}
      submitLabel="Change password"
      onSubmit={async (body) => {
        await change.mutateAsync(body);
        onDone();
      }}
      describeFailure={(error) => describeFailure(error, 'The password could not be changed.')}
    >
      {(errors) => (
        <>
          <PasswordField
            label="Current password"
            name="currentPassword"
            autoComplete="current-password"
            required
            error={errors.currentPassword}
          />
          <PasswordField
            label="New password"
            name="newPassword"
            autoComplete="new-password"
            required
            hint="8 to 128 characters. Every other device is signed out."
            error={errors.newPassword}
          />
        </>
      )}
    </AccountForm>
  );
}

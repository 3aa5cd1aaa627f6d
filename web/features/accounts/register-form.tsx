import { useMutation, useQueryClient } from '@tanstack/react-query';
import { RegisterBody } from '#contract/accounts.ts';
import { describeRefusal } from '#web/lib/api.ts';
import { EmailField, NewPasswordField, UsernameField } from './account-fields.tsx';
import { AccountForm } from './account-form.tsx';
import { registerMutation } from './api.ts';

/** After registering, the guard redirects to the next page. */
export function RegisterForm() {
  const register = useMutation(registerMutation(useQueryClient()));
  return (
    <AccountForm
      schema={RegisterBody}
      submitLabel="Create account"
      onSubmit={({ username, email, password }) =>
        register.mutateAsync({ username, email, password })
      }
      failed={(error) => describeRefusal(error, 'Failed to register')}
    >
      {(errors) => (
        <>
          <UsernameField
            hint="3 to 30 letters, digits, dots, dashes or underscores."
            error={errors.username}
          />
          <EmailField error={errors.email} />
          <NewPasswordField label="Password" hint="8 to 128 characters." error={errors.password} />
        </>
      )}
    </AccountForm>
  );
}

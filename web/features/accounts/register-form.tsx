import { useMutation, useQueryClient } from '@tanstack/react-query';
import { RegisterBody } from '#contract/accounts.ts';
import { describeFailure } from '#web/lib/api.ts';
import { Field, PasswordField } from '#web/ui/forms/field.tsx';
import { AccountForm } from './account-form.tsx';
import { registerMutation } from './api.ts';

export function RegisterForm({ onDone }: { onDone: () => void }) {
  const register = useMutation(registerMutation(useQueryClient()));
  return (
    <AccountForm
      schema={RegisterBody}
      submitLabel="Create account"
      onSubmit={async ({ username, email, password }) => {
        await register.mutateAsync({ username, email, password });
        onDone();
      }}
      describeFailure={(error) => describeFailure(error, 'Failed to register')}
    >
      {(errors) => (
        <>
          <Field
            label="Username"
            name="username"
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            required
            hint="3 to 30 letters, digits, dots, dashes or underscores."
            error={errors.username}
          />
          <Field
            label="E-mail"
            name="email"
            type="email"
            autoComplete="email"
            required
            error={errors.email}
          />
          <PasswordField
            label="Password"
            name="password"
            autoComplete="new-password"
            required
            hint="8 to 128 characters."
            error={errors.password}
          />
        </>
      )}
    </AccountForm>
  );
}

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { LoginBody } from '#contract/accounts.ts';
import { describeFailure } from '#web/lib/api.ts';
import { Field, PasswordField } from '#web/ui/field.tsx';
import { AccountForm } from './account-form.tsx';
import { loginMutation } from './api.ts';

export function LoginForm({ onDone }: { onDone: () => void }) {
  const login = useMutation(loginMutation(useQueryClient()));
  return (
    <AccountForm
      schema={LoginBody}
      submitLabel="Login"
      onSubmit={async (body) => {
        await login.mutateAsync(body);
        onDone();
      }}
      describeFailure={(error) =>
        describeFailure(error, 'Failed to login', 'Invalid username or password')
      }
    >
      {(errors) => (
        <>
          <Field
            label="Username or e-mail"
            name="username"
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            required
            error={errors.username}
          />
          <PasswordField
            label="Password"
            name="password"
            autoComplete="current-password"
            required
            error={errors.password}
          />
        </>
      )}
    </AccountForm>
  );
}

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError, describeRefusal } from '#web/lib/api/api.ts';
import {
  CodeField,
  CurrentPasswordField,
  UsernameField,
} from '#web/features/accounts/account-fields.tsx';
import { AccountForm } from '#web/features/accounts/account-form.tsx';
import { loginMutation } from '#web/features/accounts/api.ts';

/** After the login, the guard redirects to the next page. */
export function LoginForm() {
  const login = useMutation(loginMutation(useQueryClient()));
  const [neededCode, setNeededCode] = useState<'totp' | 'demo' | null>(null);
  return (
    <AccountForm
      schema={async () => (await import('#web/features/accounts/account-rules.ts')).LoginBody}
      submitLabel="Login"
      onSubmit={async ({ username, password, code }) => {
        try {
          await login.mutateAsync({ username, password, ...(code !== undefined && { code }) });
        } catch (error) {
          const refusal = error instanceof ApiError ? error.code : null;
          if (refusal === 'demo_only_local') setNeededCode('demo');
          if (refusal !== 'totp_required') throw error;
          setNeededCode('totp');
        }
      }}
      failed={(error) => describeRefusal(error, 'Failed to login', 'Invalid username or password')}
    >
      {(errors) => (
        <>
          <UsernameField label="Username or e-mail" error={errors.username} />
          <CurrentPasswordField label="Password" error={errors.password} />
          {neededCode === 'totp' && (
            <CodeField isFocused hint="Or enter a recovery code." error={errors.code} />
          )}
          {neededCode === 'demo' && (
            <CodeField label="Code from the demo’s console" isFocused error={errors.code} />
          )}
        </>
      )}
    </AccountForm>
  );
}

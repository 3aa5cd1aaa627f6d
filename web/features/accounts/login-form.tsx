import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError, describeRefusal } from '#web/lib/api.ts';
import { CodeField, CurrentPasswordField, UsernameField } from './account-fields.tsx';
import { AccountForm } from './account-form.tsx';
import { loginMutation } from './api.ts';

/** After the login, the guard redirects to the next page. */
export function LoginForm() {
  const login = useMutation(loginMutation(useQueryClient()));
  const [needsCode, setNeedsCode] = useState(false);
  return (
    <AccountForm
      schema={async () => (await import('./account-rules.ts')).LoginBody}
      submitLabel="Login"
      onSubmit={async ({ username, password, code }) => {
        try {
          await login.mutateAsync({ username, password, ...(code !== undefined && { code }) });
        } catch (error) {
          if (!(error instanceof ApiError) || error.code !== 'totp_required') throw error;
          setNeedsCode(true);
        }
      }}
      failed={(error) => describeRefusal(error, 'Failed to login', 'Invalid username or password')}
    >
      {(errors) => (
        <>
          <UsernameField label="Username or e-mail" error={errors.username} />
          <CurrentPasswordField label="Password" error={errors.password} />
          {needsCode && (
            <CodeField isFocused hint="Or enter a recovery code." error={errors.code} />
          )}
        </>
      )}
    </AccountForm>
  );
}

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { describeRefusal } from '#web/lib/api/api.ts';
import { showToast } from '#web/lib/store/toasts.ts';
import {
  EmailField,
  NewPasswordField,
  UsernameField,
} from '#web/features/accounts/account-fields.tsx';
import { AccountForm } from '#web/features/accounts/account-form.tsx';
import { registerMutation } from '#web/features/accounts/api.ts';

/** After registering, the guard redirects to the next page. */
export function RegisterForm() {
  const register = useMutation(registerMutation(useQueryClient()));
  return (
    <AccountForm
      schema={async () => (await import('#web/features/accounts/account-rules.ts')).RegisterBody}
      submitLabel="Create account"
      onSubmit={async ({ username, email, password }) => {
        await register.mutateAsync({ username, email, password });
        showToast({
          title: 'Check your e-mail',
          description: `Open the link we’ve sent to ${email} to confirm it.`,
        });
      }}
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
          <p className="text-13 text-text-2 [&_a]:text-text [&_a]:underline [&_a]:underline-offset-4">
            By creating an account you agree to the{' '}
            <a href="/terms" target="_blank" rel="noopener">
              Terms
            </a>{' '}
            and{' '}
            <a href="/privacy" target="_blank" rel="noopener">
              Privacy Policy
            </a>
            .
          </p>
        </>
      )}
    </AccountForm>
  );
}

import { useLocation, useParams } from 'wouter';
import { showToast } from '#web/lib/store/toasts.ts';
import { AuthLayout } from './auth-layout.tsx';
import { NewPasswordField } from '#web/features/accounts/account-fields.tsx';
import { AccountForm } from '#web/features/accounts/account-form.tsx';
import { call } from '#web/lib/api/api.ts';

export function Page() {
  const { token } = useParams<{ token: string }>();
  const [, navigate] = useLocation();
  return (
    <AuthLayout title="New password" lead="Choose a password you don’t use anywhere else.">
      <ResetPasswordForm
        token={token}
        onDone={() => {
          showToast({ title: 'Password changed', description: 'Log in with your new password.' });
          navigate('/login', { replace: true });
        }}
      />
    </AuthLayout>
  );
}

async function loadNewPasswordRules() {
  const { ResetConfirmBody } = await import('#web/features/accounts/account-rules.ts');
  return ResetConfirmBody.pick({ password: true });
}

function ResetPasswordForm({ token, onDone }: { token: string; onDone: () => void }) {
  return (
    <AccountForm
      schema={loadNewPasswordRules}
      submitLabel="Set new password"
      onSubmit={async ({ password }) => {
        await call('POST /api/auth/reset-password/confirm', { body: { token, password } });
        onDone();
      }}
      failed="Couldn’t change your password."
    >
      {(errors) => (
        <NewPasswordField
          hint="8 to 128 characters. You’ll be logged out on every device."
          error={errors.password}
        />
      )}
    </AccountForm>
  );
}

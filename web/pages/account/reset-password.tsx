import { useLocation, useParams } from 'wouter';
import { ResetPasswordForm } from './password-reset-forms.tsx';
import { showToast } from '#web/lib/store/toasts.ts';
import { AuthLayout } from './auth-layout.tsx';

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

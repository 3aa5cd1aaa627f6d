import { useLocation, useParams } from 'wouter';
import { UndoEmailChange } from '#web/features/accounts/email-address.tsx';
import { showToast } from '#web/lib/store/toasts.ts';
import { AuthLayout } from './auth-layout.tsx';

export function Page() {
  const { token } = useParams<{ token: string }>();
  const [, navigate] = useLocation();
  return (
    <AuthLayout
      title="Undo change"
      lead="Your account gets its previous e-mail address back, every device is logged out, and you set a new password."
    >
      <UndoEmailChange
        token={token}
        onDone={(resetToken) => {
          showToast({
            title: 'Your e-mail address is back',
            description: 'Set a new password to log in again.',
          });
          navigate(`/reset-password/${resetToken}`, { replace: true });
        }}
      />
    </AuthLayout>
  );
}

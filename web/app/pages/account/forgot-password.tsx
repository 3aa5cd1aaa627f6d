import { Link } from 'wouter';
import { ForgotPasswordForm } from '#web/features/accounts/password-reset-forms.tsx';
import { AuthLayout } from './auth-layout.tsx';

export function ForgotPasswordPage() {
  return (
    <AuthLayout
      title="Forgot password"
      lead="Enter your e-mail address and we send you a link to choose a new one."
    >
      <ForgotPasswordForm />
      <Link href="/login" className="self-start text-text underline underline-offset-4">
        Back to login
      </Link>
    </AuthLayout>
  );
}

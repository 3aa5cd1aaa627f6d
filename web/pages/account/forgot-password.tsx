import { Link } from 'wouter';
import { withNext } from '#web/lib/location/next-path.ts';
import { useNext } from '#web/lib/location/use-next.ts';
import { ForgotPasswordForm } from './password-reset-forms.tsx';
import { AuthLayout } from './auth-layout.tsx';

export function Page() {
  const next = useNext();
  return (
    <AuthLayout
      title="Forgot password"
      lead="Enter your e-mail and we’ll send you a link to set a new password."
    >
      <ForgotPasswordForm />
      <Link
        href={withNext('/login', next)}
        className="self-start text-text underline underline-offset-4"
      >
        Back to login
      </Link>
    </AuthLayout>
  );
}

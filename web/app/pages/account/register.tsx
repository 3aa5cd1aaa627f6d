import { Link, useLocation } from 'wouter';
import { RegisterForm } from '#web/features/accounts/register-form.tsx';
import { useQueryParam } from '#web/lib/query-params.ts';
import { safeNext } from '#web/lib/guard.ts';
import { AuthLayout } from './auth-layout.tsx';

export function RegisterPage() {
  const [, navigate] = useLocation();
  const next = useQueryParam('next');
  return (
    <AuthLayout
      title="Register"
      lead="20 seconds of every mix, the Top 20, favorites and playlists. Free, no card needed."
    >
      <RegisterForm onDone={() => navigate(safeNext(next), { replace: true })} />
      <p className="text-text-2">
        Already registered?{' '}
        <Link
          href={next ? `/login?next=${encodeURIComponent(next)}` : '/login'}
          className="text-text underline underline-offset-4"
        >
          Login
        </Link>
      </p>
    </AuthLayout>
  );
}

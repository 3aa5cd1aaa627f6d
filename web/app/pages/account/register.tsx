import { Link, useLocation } from 'wouter';
import { RegisterForm } from '#web/features/accounts/register-form.tsx';
import { safeNext } from '#web/lib/guard.ts';
import { useQueryParam } from '#web/lib/use-query-param.ts';
import { AuthLayout } from './auth-layout.tsx';

export function Page() {
  const [, navigate] = useLocation();
  const next = useQueryParam('next');
  return (
    <AuthLayout
      title="Register"
      lead="Search, favorites, playlists and your listening history. Free, no card needed."
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

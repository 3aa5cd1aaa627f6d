import { Link, useLocation } from 'wouter';
import { LoginForm } from '#web/features/accounts/login-form.tsx';
import { boot } from '#web/lib/boot.ts';
import { safeNext } from '#web/lib/guard.ts';
import { useQueryParam } from '#web/lib/use-query-param.ts';
import { AuthLayout } from './auth-layout.tsx';

export function Page() {
  const [, navigate] = useLocation();
  const next = useQueryParam('next');
  return (
    <AuthLayout title="Login" lead="Pick up where you left off.">
      <LoginForm onDone={() => navigate(safeNext(next), { replace: true })} />
      <p className="flex flex-wrap gap-x-6 gap-y-2 text-text-2 [&_a]:text-text [&_a]:underline [&_a]:underline-offset-4">
        <Link href="/forgot-password">Forgot your password?</Link>
        <Link href={next ? `/register?next=${encodeURIComponent(next)}` : '/register'}>
          Create an account
        </Link>
      </p>
      {boot.demo && (
        <p className="rounded-panel border border-line p-3 text-13 text-text-2">
          Demo mode: log in as <b className="text-text">free</b>,{' '}
          <b className="text-text">premium</b> or <b className="text-text">admin</b> with the
          password <b className="text-text">weekender-demo</b>.
        </p>
      )}
    </AuthLayout>
  );
}

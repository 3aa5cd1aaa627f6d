import { Link } from 'wouter';
import { LoginForm } from './login-form.tsx';
import { PasskeyLogin } from './passkey-login.tsx';
import { boot } from '#web/lib/store/boot.ts';
import { plansPath, withNext } from '#web/lib/location/next-path.ts';
import { useNext } from '#web/lib/location/use-next.ts';
import { AuthLayout } from './auth-layout.tsx';

export function Page() {
  const next = useNext();
  return (
    <AuthLayout title="Login" lead="Pick up where you left off.">
      <LoginForm />
      <PasskeyLogin />
      <p className="flex flex-wrap gap-x-6 gap-y-2 text-text-2 [&_a]:text-text [&_a]:underline [&_a]:underline-offset-4">
        <Link href={withNext('/forgot-password', next)}>Forgot your password?</Link>
        <Link href={withNext('/register', next)}>Create an account</Link>
        <Link href={plansPath(next)}>Plans and prices</Link>
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

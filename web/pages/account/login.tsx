import { Link } from 'wouter';
import { LoginForm } from './login-form.tsx';
import { boot } from '#web/lib/store/boot.ts';
import { plansPath, withNext } from '#web/lib/location/next-path.ts';
import { useNext } from '#web/lib/location/use-next.ts';
import { AuthLayout } from './auth-layout.tsx';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { describeRefusal } from '#web/lib/api/api.ts';
import { Button } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { passkeyLoginMutation } from '#web/features/accounts/api.ts';

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

const isNamed = (error: Error, name: string): boolean => error.name === name;

/** After the login, the guard redirects to the next page. */
function PasskeyLogin() {
  const login = useMutation(passkeyLoginMutation(useQueryClient()));
  if (!boot.hasPasskeys) return null;
  const { error } = login;
  const failure =
    error === null || isNamed(error, 'PasskeyCancelled')
      ? null
      : isNamed(error, 'PasskeyProblem')
        ? error.message
        : describeRefusal(error, 'Failed to login');
  return (
    <div className="flex flex-col gap-5">
      {failure && <Notice tone="danger" title={failure} />}
      <Button
        variant="line"
        size="lg"
        isBlock
        aria-disabled={login.isPending}
        onClick={() => !login.isPending && login.mutate()}
      >
        Log in with a passkey
      </Button>
    </div>
  );
}

import { Link } from 'wouter';
import { LoginForm } from './login-form.tsx';
import { boot } from '#web/lib/store/boot.ts';
import { plansPath, readNext, withNext } from '#web/lib/location/next-path.ts';
import { useNext } from '#web/lib/location/use-next.ts';
import type { Visit } from '#web/router/route.ts';
import { plansQuery } from '#web/features/billing/api.ts';
import { AuthLayout } from './auth-layout.tsx';
import { Join } from '#web/features/billing/join.tsx';
import { listSharedQueries, useSharedLink } from './shared-link.tsx';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { describeRefusal } from '#web/lib/api/api.ts';
import { Button } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { passkeyLoginMutation } from '#web/features/accounts/api.ts';
import { usePasskeySupport } from '#web/lib/store/use-browser-fact.ts';

export function listQueries({ search, read }: Visit) {
  const queries = listSharedQueries(readNext(`?${search}`), read);
  return queries.length > 0 ? [...queries, plansQuery] : [];
}

export function Page() {
  const next = useNext();
  const shared = useSharedLink(next);
  if (!shared)
    return (
      <AuthLayout title="Login" lead="Pick up where you left off.">
        <LoginWays next={next} />
      </AuthLayout>
    );
  return (
    <div className="grid md:min-h-[calc(100dvh-var(--header))] @4xl/content:grid-cols-[minmax(0,1fr)_minmax(0,clamp(360px,32cqi,520px))]">
      {shared.stage('h1')}
      <div className="grid content-center gap-8 border-line px-gutter py-8 @2xl/content:@max-4xl/content:grid-cols-2 @2xl/content:@max-4xl/content:items-start @4xl/content:border-l">
        <Join title={shared.invitation} next={next} />
        <section
          aria-labelledby="login"
          className="flex flex-col gap-6 border-line @max-2xl/content:border-t @max-2xl/content:pt-8 @4xl/content:border-t @4xl/content:pt-8"
        >
          <h2 id="login" className="text-16 font-semibold">
            Already a member? Log in
          </h2>
          <LoginWays next={next} />
        </section>
      </div>
    </div>
  );
}

function LoginWays({ next }: { next: string }) {
  return (
    <>
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
    </>
  );
}

const isNamed = (error: Error, name: string): boolean => error.name === name;

/** After the login, the guard redirects to the next page. */
function PasskeyLogin() {
  const login = useMutation(passkeyLoginMutation(useQueryClient()));
  const isSupported = usePasskeySupport();
  if (!boot.hasPasskeys) return null;
  if (!isSupported) return <p className="text-text-2">This browser can’t log in with a passkey.</p>;
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

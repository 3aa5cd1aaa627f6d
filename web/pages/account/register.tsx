import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { RegisterForm } from './register-form.tsx';
import { plansQuery } from '#web/features/billing/api.ts';
import { findCheckout, type CheckoutIntent } from '#web/features/billing/checkout/checkout-path.ts';
import { formatPlanPrice } from '#web/features/billing/plans/plan-texts.ts';
import { plansPath, readNext, withNext } from '#web/lib/location/next-path.ts';
import { useNext } from '#web/lib/location/use-next.ts';
import type { Visit } from '#web/router/route.ts';
import { AuthLayout } from './auth-layout.tsx';
import { listSharedQueries, useSharedLink } from './shared-link.tsx';

const linkClass = 'text-text underline underline-offset-4';

export const listQueries = ({ search, read }: Visit) =>
  listSharedQueries(readNext(`?${search}`), read);

export function Page() {
  const next = useNext();
  const checkout = findCheckout(next);
  const shared = useSharedLink(next);
  return (
    <AuthLayout
      title="Register"
      aside={shared?.stage('h2')}
      lead={
        checkout ? (
          <CheckoutLead {...checkout} />
        ) : (
          'Search, favorites, playlists and your listening history. Free, no card needed.'
        )
      }
    >
      <RegisterForm />
      <p className="flex flex-wrap gap-x-6 gap-y-2 text-text-2">
        <span>
          Already registered?{' '}
          <Link href={withNext('/login', next)} className={linkClass}>
            Login
          </Link>
        </span>
        <Link href={plansPath(next)} className={linkClass}>
          Plans and prices
        </Link>
      </p>
    </AuthLayout>
  );
}

/** Tells someone who has chosen a plan what comes after registering. */
function CheckoutLead({ plan, next }: CheckoutIntent) {
  const { data: plans } = useQuery(plansQuery);
  const price = plans && ` (${formatPlanPrice(plan, plans)})`;
  return (
    <>
      Create your account first, then go on to the payment page for Premium{price}.{' '}
      <Link href={withNext('/register', next ?? '/')} className={linkClass}>
        Register without paying
      </Link>
    </>
  );
}

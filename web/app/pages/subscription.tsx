import { Link } from 'wouter';
import { useCurrentUser } from '#web/lib/current-user.ts';
import { buttonClass } from '#web/ui/button.tsx';
import { PageHead } from '#web/ui/page-head.tsx';

export function SubscriptionPage() {
  const { user } = useCurrentUser();
  if (!user) return null;
  return (
    <>
      <PageHead title="Subscription" />
      <section className="mx-gutter mt-8 flex max-w-[640px] flex-col items-start gap-3 bg-surface p-6">
        <h2 className="type-label">Plan</h2>
        <p className="type-display text-[56px]">{user.isSubscriber ? 'Premium' : 'Free'}</p>
        <p className="type-lead">
          {user.isSubscriber
            ? 'Full access to all content'
            : 'You hear 20 seconds of each mix. Premium plays all of it, and lets you keep it.'}
        </p>
        {!user.isSubscriber && (
          <Link href="/pricing" className={buttonClass({ className: 'mt-2' })}>
            Upgrade to Premium
          </Link>
        )}
      </section>
    </>
  );
}

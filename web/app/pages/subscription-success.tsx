import { Link } from 'wouter';
import { useCurrentUser } from '#web/lib/current-user.ts';
import { buttonClass } from '#web/ui/button.tsx';
import { EmptyPage } from './empty-page.tsx';

export function SubscriptionSuccessPage() {
  const { user } = useCurrentUser();
  return user?.isSubscriber ? (
    <EmptyPage
      title="You have Premium"
      lead="Full access to all content"
      empty={{
        title: 'The whole year is open',
        children: 'Every mix plays to its end, and every mix can be kept.',
        action: (
          <Link href="/" className={buttonClass()}>
            Go to this week
          </Link>
        ),
      }}
    />
  ) : (
    <EmptyPage
      title="No payment yet"
      empty={{
        glyph: 'locked',
        title: 'Your plan is Free',
        children: 'No confirmed payment belongs to this account. Nothing was charged here.',
        action: (
          <Link href="/pricing" className={buttonClass()}>
            See the plans
          </Link>
        ),
      }}
    />
  );
}

import { useEffect } from 'react';
import { Link } from 'wouter';
import { ContinuedTrack, PaymentSummary, WaitingForPayment } from '#web/features/billing/checkout-result.tsx';
import { useCheckoutStatus } from '#web/features/billing/use-checkout-status.ts';
import { REFUSED_TEXT, REFUSED_TITLE } from '#web/features/billing/subscription-texts.ts';
import { useCurrentUser } from '#web/lib/current-user.ts';
import { useQueryParam } from '#web/lib/use-query-param.ts';
import { createStore, useStore } from '#web/lib/store.ts';
import { usePlayer } from '#web/player/use-player.ts';
import { buttonClass } from '#web/ui/button.tsx';
import { PageHead } from '#web/ui/page-head.tsx';
import { PosterBars, yearShape } from '#web/ui/art/poster-bars.tsx';
import { resumeCheckoutHandoff, type ResumedTrack } from '#web/app/player/resume-checkout-handoff.ts';
import { EmptyPage } from '#web/app/empty-page.tsx';

export function SubscriptionSuccessPage() {
  const reference = useQueryParam('reference');
  const { phase, isAsking, checkAgain } = useCheckoutStatus(reference);
  const continued = useContinued(phase === 'ready');
  switch (phase) {
    case 'ready':
      return <Ready continued={continued} />;
    case 'failed':
      return <Failed />;
    case 'refused':
      return <Refused />;
    case 'nothing':
      return <NoPayment>No confirmed payment belongs to this account.</NoPayment>;
    case 'unknown':
      return <NoPayment>This link belongs to no payment of this account.</NoPayment>;
    case 'checking':
    case 'waiting':
    case 'opening':
    case 'unreachable':
      return <WaitingForPayment phase={phase} isAsking={isAsking} onCheckAgain={checkAgain} />;
  }
}

const continuedStore = createStore<ResumedTrack | null>(null);

/** The mix goes on in the moment there is access, and only once. */
function useContinued(hasAccess: boolean): ResumedTrack | null {
  const player = usePlayer();
  const { user } = useCurrentUser();
  const userId = user?.id;
  useEffect(() => {
    const taken = hasAccess && userId ? resumeCheckoutHandoff(player, userId) : null;
    if (taken) continuedStore.set(taken);
  }, [player, userId, hasAccess]);
  return useStore(continuedStore);
}

function Ready({ continued }: { continued: ResumedTrack | null }) {
  return (
    <>
      <PageHead title="You have Premium" lead="Full access to all content" />
      {continued ? (
        <div className="mt-7 md:mx-gutter">
          <ContinuedTrack {...continued} />
        </div>
      ) : (
        <div className="mx-gutter mt-7 h-36 border-b border-line md:h-60">
          <PosterBars bars={yearShape()} />
        </div>
      )}
      <PaymentSummary />
      <p className="flex flex-wrap gap-2.5 px-gutter pt-6">
        <Link href="/" className={buttonClass({ variant: continued ? 'line' : 'primary' })}>
          Go to this week
        </Link>
        <Link href="/subscription" className={buttonClass({ variant: 'line' })}>
          Your subscription
        </Link>
      </p>
    </>
  );
}

function Failed() {
  return (
    <EmptyPage
      title="Not paid"
      empty={{
        glyph: 'broken',
        title: 'The payment did not go through',
        children:
          'The card was declined or the payment was stopped. Nothing was charged; try again, or with another card.',
        action: (
          <Link href="/pricing" className={buttonClass()}>
            Try again
          </Link>
        ),
      }}
    />
  );
}

function Refused() {
  return (
    <EmptyPage
      title="Paid back"
      empty={{
        glyph: 'broken',
        title: REFUSED_TITLE,
        children: REFUSED_TEXT,
        action: (
          <Link href="/pricing" className={buttonClass()}>
            See the plans
          </Link>
        ),
      }}
    />
  );
}

function NoPayment({ children }: { children: string }) {
  return (
    <EmptyPage
      title="No payment yet"
      empty={{
        glyph: 'locked',
        title: 'Your plan is Free',
        children: `${children} Nothing was charged here.`,
        action: (
          <Link href="/pricing" className={buttonClass()}>
            See the plans
          </Link>
        ),
      }}
    />
  );
}

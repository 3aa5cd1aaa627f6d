import { useEffect, useSyncExternalStore } from 'react';
import { resumeCheckoutHandoff, type ResumedTrack } from './resume-checkout-handoff.ts';
import { ContinuedTrack, PaymentSummary, WaitingForPayment } from './checkout-result.tsx';
import {
  nameCheckoutNext,
  readCheckoutNext,
} from '#web/features/billing/checkout/checkout-next.ts';
import { REFUSED_TEXT, REFUSED_TITLE } from '#web/features/billing/checkout/result-texts.ts';
import { useCheckoutStatus } from '#web/features/billing/checkout/use-checkout-status.ts';
import { useCurrentUser } from '#web/lib/api/current-user.ts';
import { createStore, useStore } from '#web/lib/store/store.ts';
import { useQueryParam } from '#web/lib/location/use-query-param.ts';
import { tryOrUndefined } from '#web/player/session/persistence.ts';
import { usePlayer } from '#web/player/use-player.ts';
import { PosterBars, yearShape } from '#web/ui/art/poster-bars.tsx';
import { LinkButton } from '#web/ui/button.tsx';
import { EmptyPage } from '#web/ui/empty-state.tsx';
import { PageHead } from '#web/ui/page-head.tsx';

export function Page() {
  const reference = useQueryParam('reference');
  const { phase, isChecking, checkAgain } = useCheckoutStatus(reference);
  const continued = useResumedTrack(phase === 'ready');
  switch (phase) {
    case 'ready':
      return <Ready continued={continued} />;
    case 'failed':
      return <Failed />;
    case 'refused':
      return <Refused />;
    case 'nothing':
      return <NoPayment>We couldn’t find a payment for this account.</NoPayment>;
    case 'unknown':
      return (
        <NoPayment>
          This link doesn’t match a payment on this account. If you paid with another account, log
          in with that one.
        </NoPayment>
      );
    case 'checking':
    case 'waiting':
    case 'pending':
    case 'unlocking':
    case 'unreachable':
      return <WaitingForPayment phase={phase} isChecking={isChecking} onCheckAgain={checkAgain} />;
  }
}

const resumedStore = createStore<ResumedTrack | null>(null);

/** Playback continues as soon as there is access, but only once. */
function useResumedTrack(hasAccess: boolean): ResumedTrack | null {
  const player = usePlayer();
  const { user } = useCurrentUser();
  const userId = user?.id;
  useEffect(() => {
    const resumed = hasAccess && userId ? resumeCheckoutHandoff(player, userId) : null;
    if (resumed) resumedStore.set(resumed);
  }, [player, userId, hasAccess]);
  return useStore(resumedStore);
}

const subscribeToNothing = () => () => undefined;

/** The page that Premium was wanted for. */
function useCheckoutNext(): string | null {
  const { user } = useCurrentUser();
  const owner = user?.id ?? '';
  return useSyncExternalStore(
    subscribeToNothing,
    () => tryOrUndefined(() => readCheckoutNext(sessionStorage, owner, Date.now())) ?? null,
    () => null,
  );
}

function Ready({ continued }: { continued: ResumedTrack | null }) {
  const next = useCheckoutNext();
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
        <LinkButton href={next ?? '/'} variant={continued ? 'line' : 'primary'}>
          {next === null ? 'Hear this week’s mix' : nameCheckoutNext(next)}
        </LinkButton>
        <LinkButton href="/subscription" variant="line">
          Your subscription
        </LinkButton>
      </p>
    </>
  );
}

function Failed() {
  return (
    <EmptyPage
      pageTitle="Payment not completed"
      glyph="broken"
      title="The payment didn’t go through"
      text="Your card was declined or the payment was cancelled. Try again, or use another card."
      link={{ href: '/pricing', label: 'Try again', variant: 'primary' }}
    />
  );
}

function Refused() {
  return (
    <EmptyPage
      pageTitle="Refunded"
      glyph="broken"
      title={REFUSED_TITLE}
      text={REFUSED_TEXT}
      link={{ href: '/pricing', label: 'See plans', variant: 'primary' }}
    />
  );
}

function NoPayment({ children }: { children: string }) {
  return (
    <EmptyPage
      pageTitle="No payment yet"
      glyph="locked"
      title="You’re on the Free plan"
      text={children}
      link={{ href: '/pricing', label: 'See plans', variant: 'primary' }}
    />
  );
}

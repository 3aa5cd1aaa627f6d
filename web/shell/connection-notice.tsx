import { useIsFetching, useQueryClient, type Query, type QueryClient } from '@tanstack/react-query';
import { Suspense, useEffect, useState, useSyncExternalStore } from 'react';
import { boot } from '#web/lib/store/boot.ts';
import { outageStore, type Outage } from '#web/lib/api/outage.ts';
import { useStore } from '#web/lib/store/store.ts';
import type { Login } from '#web/lib/api/current-user.ts';
import { usePlayerState } from '#web/player/use-player.ts';
import { lazyComponent } from '#web/lib/schedule/lazy-component.ts';
import { Button } from '#web/ui/button.tsx';
import { ErrorBoundary } from '#web/ui/error-boundary.tsx';
import { outageWatch } from './outages.ts';

// Few visits need them.
const PaymentNote = lazyComponent(() => import('./payment-note.tsx'), 'PaymentNote');
const LegalNote = lazyComponent(() => import('./legal-note.tsx'), 'LegalNote');

/** How long a page may stay empty before it says why. */
const LONG_WAIT_MS = 4_000;
const TRYING_MS = 3_000;

/** It has no data, or only what this device has kept. */
const isUnanswered = ({ state }: Query): boolean => state.dataUpdatedAt === 0;
const isEmpty = ({ state }: Query): boolean => state.data === undefined;

/** Repeats every request that the page is still waiting for, including the one for the user. */
async function askAgain(client: QueryClient): Promise<void> {
  // A refetch joins the hanging request of a query without data, so that one is cancelled first.
  await client.cancelQueries({ type: 'active', predicate: isEmpty });
  if (outageStore.get()) await outageWatch.checkNow();
  await client.refetchQueries({ type: 'active', predicate: isUnanswered });
}

function useAskAgain(): { isTrying: boolean; tryAgain: () => void } {
  const client = useQueryClient();
  const [isTrying, setTrying] = useState(false);
  useEffect(() => {
    if (!isTrying) return;
    const timer = setTimeout(() => setTrying(false), TRYING_MS);
    return () => clearTimeout(timer);
  }, [isTrying]);
  const tryAgain = () => {
    setTrying(true);
    void askAgain(client).finally(() => setTrying(false));
  };
  return { isTrying, tryAgain };
}

/** True once the page has waited a long time for its content. */
function useIsSlow(): boolean {
  const isWaiting = useIsFetching({ type: 'active', predicate: isUnanswered }) > 0;
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    if (!isWaiting) return;
    const timer = setTimeout(() => setSlow(true), LONG_WAIT_MS);
    return () => {
      clearTimeout(timer);
      setSlow(false);
    };
  }, [isWaiting]);
  return isWaiting && isSlow;
}

function watchOnline(onChange: () => void): () => void {
  const events = ['online', 'offline'];
  for (const event of events) window.addEventListener(event, onChange);
  return () => {
    for (const event of events) window.removeEventListener(event, onChange);
  };
}

const isOnlineNow = (): boolean => navigator.onLine;

/** Toasts, other notes and the end of the page leave room for this one. */
function measureNote(note: HTMLElement | null) {
  if (!note) return;
  const { style } = document.documentElement;
  const observer = new ResizeObserver(() => style.setProperty('--note', `${note.offsetHeight}px`));
  observer.observe(note);
  return () => {
    observer.disconnect();
    style.removeProperty('--note');
  };
}

/** A quiet note about what doesn't work, and what the page shows or does instead. */
export function ConnectionNotice({ user, isUnconfirmed }: Login) {
  const isSlow = useIsSlow();
  const outage = useStore(outageStore);
  const isPlaying = usePlayerState((state) => state.isPlaying);
  const { isTrying, tryAgain } = useAskAgain();
  // When the browser is offline, the page already says so.
  const isOnline = useSyncExternalStore(watchOnline, isOnlineNow);
  const isShown = (isUnconfirmed || outage !== null || isSlow) && isOnline;
  return (
    <>
      <ErrorBoundary fallback={null}>
        <Suspense>
          {user?.paymentDue && <PaymentNote {...user.paymentDue} />}
          {user?.termsChangedAt && <LegalNote changedAt={user.termsChangedAt} />}
        </Suspense>
      </ErrorBoundary>
      <div role="status">
        {isShown && (
          <div
            ref={measureNote}
            className="fixed inset-x-0 bottom-(--dock) z-40 flex min-h-12 items-center gap-x-4 border-t border-line bg-overlay px-gutter py-1.5 text-13 text-text-2 md:left-(--sidebar)"
          >
            <p className="min-w-0 flex-1">
              {isTrying
                ? 'Trying again…'
                : outage && !isUnconfirmed
                  ? describeOutage(outage, isPlaying)
                  : describeWait(user !== null, isUnconfirmed)}
            </p>
            <Button variant="line" size="sm" onClick={tryAgain}>
              Try again
            </Button>
          </div>
        )}
      </div>
    </>
  );
}

function describeOutage(outage: Outage, isPlaying: boolean): string {
  const missing = {
    reaching: `We can’t reach ${boot.siteName} right now.`,
    busy: 'Many people are here right now.',
    saving: 'We can’t save favorites, playlists and where you are in a mix at the moment.',
    playing: 'We can’t load mixes at the moment.',
  }[outage];
  return `${missing} ${isPlaying ? 'What’s playing goes on; we’ll' : 'We’ll'} keep trying.`;
}

function describeWait(isKnown: boolean, isUnconfirmed: boolean): string {
  if (!isUnconfirmed) return `${boot.siteName} is taking longer than usual to answer.`;
  return isKnown
    ? `We can’t reach ${boot.siteName} right now. Showing what we know.`
    : `We can’t reach ${boot.siteName} right now, so we can’t tell yet if you’re logged in.`;
}

/** Replaces a page that needs a login until we know whether the user is logged in. */
export function UnknownUser() {
  const { isTrying, tryAgain } = useAskAgain();
  return (
    <section className="flex flex-col items-start gap-4 px-gutter pt-10">
      <h1 className="type-title text-[2.875rem]">One moment</h1>
      <p className="max-w-[44ch] text-16 text-text-2">
        This page needs your account, and {boot.siteName} hasn’t answered yet. It will open as soon
        as we get an answer. If you’re logged in, you’ll stay logged in.
      </p>
      <Button variant="line" onClick={tryAgain}>
        {isTrying ? 'Trying again…' : 'Try again'}
      </Button>
    </section>
  );
}

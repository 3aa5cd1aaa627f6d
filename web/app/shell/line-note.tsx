import { useIsFetching, useQueryClient, type Query, type QueryClient } from '@tanstack/react-query';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { Link } from 'wouter';
import { LegalNote } from '#web/features/legal/legal-note.tsx';
import { boot } from '#web/lib/boot.ts';
import type { Login } from '#web/lib/current-user.ts';
import { Button } from '#web/ui/button.tsx';

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

/** A quiet note that the server doesn't answer, and what the page shows instead. */
export function LineNote({ user, isUnconfirmed }: Login) {
  const isSlow = useIsSlow();
  const { isTrying, tryAgain } = useAskAgain();
  // When the browser is offline, the page already says so.
  const isOnline = useSyncExternalStore(watchOnline, isOnlineNow);
  const isShown = (isUnconfirmed || isSlow) && isOnline;
  return (
    <>
      {user?.termsChangedAt && <LegalNote changedAt={user.termsChangedAt} />}
      <div role="status">
        {isShown && (
          <div className="flex min-h-12 flex-wrap items-center gap-x-4 gap-y-1 border-b border-line bg-surface px-gutter py-1.5 text-13 text-text-2">
            <p className="min-w-0 flex-1 basis-40">
              {isTrying ? 'Trying again…' : describeWait(user !== null, isUnconfirmed)}
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

/** In this file because it loads with it: another one would cost the first page its name. */
export const LegalLinks = ({ className = '' }: { className?: string }) => (
  <nav aria-label="Legal" className={`flex flex-wrap gap-x-6 text-13 text-text-3 ${className}`}>
    {['Terms', 'Privacy', 'Refunds', 'Contact'].map((name) => (
      <Link
        key={name}
        href={`/${name.toLowerCase()}`}
        className="inline-flex min-h-11 min-w-11 items-center hover:text-text"
      >
        {name}
      </Link>
    ))}
  </nav>
);

/** The end of every page. It loads after the heading, because it starts below the screen. */
export const Footer = () => (
  <footer className="border-t border-line px-gutter pt-2 pb-[calc(var(--dock)+0.5rem)]">
    <LegalLinks />
  </footer>
);

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

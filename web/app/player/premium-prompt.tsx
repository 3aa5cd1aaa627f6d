import { lazy, Suspense, useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import type { User } from '#contract/accounts.ts';
import { PREVIEW_ENDED_EVENT } from '#web/player/browser-player.ts';
import { loginPath } from '#web/lib/guard.ts';

const PremiumDialog = lazy(() =>
  import('#web/features/player/premium-dialog.tsx').then((module) => ({
    default: module.PremiumDialog,
  })),
);

/** Opens when a preview ends for a non-subscriber. */
export function PremiumPrompt({ user }: { user: User | null }) {
  const [location] = useLocation();
  const [isOpen, setOpen] = useState(false);
  const [hasOpened, setHasOpened] = useState(false);
  const isSubscriber = user?.isSubscriber ?? false;
  useEffect(() => {
    if (isSubscriber) return;
    const onPreviewEnded = () => {
      setHasOpened(true);
      setOpen(true);
    };
    window.addEventListener(PREVIEW_ENDED_EVENT, onPreviewEnded);
    return () => window.removeEventListener(PREVIEW_ENDED_EVENT, onPreviewEnded);
  }, [isSubscriber]);
  if (!hasOpened || isSubscriber) return null;
  return (
    <Suspense fallback={null}>
      <PremiumDialog
        open={isOpen}
        onOpenChange={setOpen}
        isLoggedIn={user !== null}
        loginPath={loginPath(location)}
      />
    </Suspense>
  );
}

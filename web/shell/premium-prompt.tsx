import { useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import type { User } from '#contract/accounts.ts';
import { hasFullAccess, useCurrentUser } from '#web/lib/api/current-user.ts';
import { PREVIEW_ENDED_EVENT } from '#web/player/browser-player.ts';
import { lazyPanel } from '#web/ui/overlays/lazy-overlay.tsx';

const PremiumDialog = lazyPanel(
  () => import('#web/features/billing/plans/premium-dialog.tsx'),
  'PremiumDialog',
);

/**
 * Opens on every `preview-ended` event, on any page, unless the user has full access. While the
 * server has not said who the user is, it waits.
 */
export function PremiumPrompt({ user, isOpen = false }: { user: User | null; isOpen?: boolean }) {
  const [location] = useLocation();
  // Following a link closes the dialog.
  const [openedOn, setOpenedOn] = useState(isOpen ? location : null);
  const [hasOpened, setHasOpened] = useState(isOpen);
  const isSubscriber = hasFullAccess(user);
  const { isUnknown } = useCurrentUser();
  useEffect(() => {
    if (isSubscriber) return;
    const onPreviewEnded = () => {
      setHasOpened(true);
      setOpenedOn(location);
    };
    window.addEventListener(PREVIEW_ENDED_EVENT, onPreviewEnded);
    return () => window.removeEventListener(PREVIEW_ENDED_EVENT, onPreviewEnded);
  }, [isSubscriber, location]);
  // Coming back must not open it again, and neither must the end of a subscription.
  if (openedOn !== null && (openedOn !== location || isSubscriber)) setOpenedOn(null);
  if (!hasOpened || isSubscriber || isUnknown) return null;
  return (
    <PremiumDialog
      open={openedOn === location}
      onOpenChange={(open) => setOpenedOn(open ? location : null)}
      onFail={() => setOpenedOn(null)}
      isLoggedIn={user !== null}
    />
  );
}

import { useEffect, useRef } from 'react';
import type { User } from '#contract/accounts.ts';
import { hasFullAccess } from '#web/lib/current-user.ts';
import { usePlayer } from '#web/player/use-player.ts';

/**
 * Tells the player whether the user has full access. When the user changes, the player closes, so
 * that the next one doesn't get their queue.
 */
export function usePlayerUser(user: User | null, isUnknown: boolean): void {
  const player = usePlayer();
  const isSubscriber = hasFullAccess(user);
  const userId = user?.id ?? null;
  const lastUserId = useRef<string | null>(null);
  useEffect(() => {
    if (isUnknown) return;
    if (lastUserId.current !== null && lastUserId.current !== userId) {
      player.close();
      player.forgetVisit();
    }
    lastUserId.current = userId;
    player.setSubscriber(isSubscriber);
  }, [player, userId, isSubscriber, isUnknown]);
}

import { useEffect, useRef } from 'react';
import type { User } from '#contract/accounts.ts';
import { usePlayer } from '#web/player/use-player.ts';

/**
 * Keeps the player up to date with the logged-in user. Administrators have full access, as on the
 * server. A queue isn't left behind for the next user.
 */
export function usePlayerUser(user: User | null, isLoading: boolean): void {
  const player = usePlayer();
  const hasFullAccess = user !== null && (user.isSubscriber || user.isAdmin);
  const userId = user?.id ?? null;
  const lastUserId = useRef<string | null>(null);
  useEffect(() => {
    if (isLoading) return;
    if (lastUserId.current !== null && lastUserId.current !== userId) {
      player.close();
      player.clear();
      player.forgetVisit();
    }
    lastUserId.current = userId;
    player.setSubscriber(hasFullAccess);
  }, [player, userId, hasFullAccess, isLoading]);
}

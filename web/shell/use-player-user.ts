import { useEffect, useState } from 'react';
import { hasFullAccess, type Login } from '#web/lib/api/current-user.ts';
import type { Player } from '#web/player/create-player.ts';
import { usePlayer } from '#web/player/use-player.ts';

type UserAccess = { userId: string | null; isSubscriber: boolean; isUnknown: boolean };

/**
 * Tells the player whether the user has full access. When the user changes, the player closes, so
 * that the next one doesn't get their queue. Nothing happens before the server says who the user is.
 */
export function followUser(player: Pick<Player, 'close' | 'forgetVisit' | 'setSubscriber'>) {
  let lastUserId: string | null = null;
  return ({ userId, isSubscriber, isUnknown }: UserAccess): void => {
    if (isUnknown) return;
    if (lastUserId !== null && lastUserId !== userId) {
      player.close();
      player.forgetVisit();
    }
    lastUserId = userId;
    player.setSubscriber(isSubscriber);
  };
}

export function usePlayerUser({ user, isUnknown }: Login): void {
  const player = usePlayer();
  const [follow] = useState(() => followUser(player));
  const isSubscriber = hasFullAccess(user);
  const userId = user?.id ?? null;
  useEffect(
    () => follow({ userId, isSubscriber, isUnknown }),
    [follow, userId, isSubscriber, isUnknown],
  );
}

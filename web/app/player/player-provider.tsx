import { useEffect, useRef, type ReactNode } from 'react';
import type { User } from '#contract/accounts.ts';
import type { Player } from '#web/player/create-player.ts';
import { PlayerContext, usePlayer } from '#web/player/use-player.ts';

type PlayerProviderProps = { player: Player; children: ReactNode };

/** The player outlives every render: the page makes it, and it ends with the page. */
export function PlayerProvider({ player, children }: PlayerProviderProps) {
  return <PlayerContext value={player}>{children}</PlayerContext>;
}

/**
 * The player hears of every change of user, as soon as it is known who it is. Whoever runs the site
 * hears everything, as the server sees it. What somebody queued does not stay for the next person.
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

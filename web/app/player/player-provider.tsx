import { useEffect, type ReactNode } from 'react';
import type { User } from '#contract/accounts.ts';
import type { Player } from '#web/player/create-player.ts';
import { PlayerContext, usePlayer } from '#web/player/use-player.ts';

type PlayerProviderProps = { player: Player; children: ReactNode };

/** The player outlives every render: the page makes it, and it ends with the page. */
export function PlayerProvider({ player, children }: PlayerProviderProps) {
  return <PlayerContext value={player}>{children}</PlayerContext>;
}

/** The player hears of every change of user, as soon as it is known who it is. */
export function useSubscriberFlag(user: User | null, isLoading: boolean): void {
  const player = usePlayer();
  const isSubscriber = user?.isSubscriber ?? false;
  useEffect(() => {
    if (!isLoading) player.setSubscriber(isSubscriber);
  }, [player, isSubscriber, isLoading]);
}

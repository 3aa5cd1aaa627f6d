import { useEffect, type ReactNode } from 'react';
import { useCurrentUser } from '#web/lib/current-user.ts';
import type { Player } from '#web/player/create-player.ts';
import { PlayerContext } from '#web/player/use-player.ts';

type PlayerProviderProps = { player: Player; children: ReactNode };

/** The player outlives every render: the page makes it, and it ends with the page. */
export function PlayerProvider({ player, children }: PlayerProviderProps) {
  const { user, isLoading } = useCurrentUser();
  const isSubscriber = user?.isSubscriber ?? false;
  useEffect(() => {
    if (!isLoading) player.setSubscriber(isSubscriber);
  }, [player, isSubscriber, isLoading]);
  return <PlayerContext value={player}>{children}</PlayerContext>;
}

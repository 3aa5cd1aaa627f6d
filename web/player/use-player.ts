import { createContext, useContext, useSyncExternalStore } from 'react';
import type { Player } from './create-player.ts';
import type { PlayerState } from './store.ts';

/** The one place where React meets the player. */
export const PlayerContext = createContext<Player | null>(null);

/** The commands. They never change, so that they can be passed and listed as they are. */
export function usePlayer(): Player {
  const player = useContext(PlayerContext);
  if (!player) throw new Error('Put the page inside a PlayerContext that holds the player.');
  return player;
}

/** Renders again only when what is selected changes: select values or parts, never new objects. */
export function usePlayerState<T>(select: (state: PlayerState) => T): T {
  const { store } = usePlayer();
  return useSyncExternalStore(store.subscribe, () => select(store.get()));
}

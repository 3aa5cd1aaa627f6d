import { createContext, useContext, useSyncExternalStore } from 'react';
import type { Player } from './create-player.ts';
import type { PlayerState } from './store.ts';

export const PlayerContext = createContext<Player | null>(null);

/** The commands. They never change, so they can be passed around and listed as dependencies. */
export function usePlayer(): Player {
  const player = useContext(PlayerContext);
  if (!player) throw new Error('Wrap the page in a PlayerContext that provides the player.');
  return player;
}

/** Renders again only when the selected value changes, so don't select new objects. */
export function usePlayerState<T>(select: (state: PlayerState) => T): T {
  const { store } = usePlayer();
  return useSyncExternalStore(
    store.subscribe,
    () => select(store.get()),
    () => select(store.getInitial()),
  );
}

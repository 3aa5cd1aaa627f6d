import { attempt, parseObject, parsePlayer, serializePlayer } from './persistence.ts';
import type { SavedPlayer, KeyValueStorage } from './persistence.ts';
import { selectIsPreviewEnded } from './preview-limit.ts';
import type { PlayerState } from './store.ts';
import { HOUR } from '#contract/rules/time.ts';

export const CHECKOUT_HANDOFF_KEY = 'player-carried';
const VERSION = 1;
/** A bank may take its time; what is older would surprise whoever hears it. */
const MAX_AGE_MS = HOUR;

export type CheckoutHandoff = {
  player: SavedPlayer;
  /** It was playing, or the end of its preview had stopped it: it is to go on by itself. */
  isInterrupted: boolean;
};

const isInterrupted = (state: PlayerState): boolean =>
  state.isPlaying || state.isStarting || selectIsPreviewEnded(state);

/**
 * What this tab listens to, for when it comes back from another site. Not where the player keeps its
 * visits: that place belongs to all tabs, and another one may listen to something else meanwhile.
 */
export function saveCheckoutHandoff(
  storage: KeyValueStorage,
  state: PlayerState,
  owner: string,
  now: number,
): void {
  if (!state.currentTrack) return deleteCheckoutHandoff(storage);
  const carried = {
    version: VERSION,
    owner,
    at: now,
    isInterrupted: isInterrupted(state),
    player: serializePlayer(state, now),
  };
  attempt(() => storage.setItem(CHECKOUT_HANDOFF_KEY, JSON.stringify(carried)));
}

/** Once, and only by the one who left it. */
export function popCheckoutHandoff(
  storage: KeyValueStorage,
  owner: string,
  now: number,
): CheckoutHandoff | null {
  const raw = parseObject(attempt(() => storage.getItem(CHECKOUT_HANDOFF_KEY)) ?? null);
  deleteCheckoutHandoff(storage);
  if (raw?.version !== VERSION || raw.owner !== owner) return null;
  if (typeof raw.at !== 'number' || !(now - raw.at < MAX_AGE_MS)) return null;
  const player = parsePlayer(typeof raw.player === 'string' ? raw.player : null);
  return player?.currentTrack ? { player, isInterrupted: raw.isInterrupted === true } : null;
}

export function deleteCheckoutHandoff(storage: KeyValueStorage): void {
  attempt(() => storage.removeItem(CHECKOUT_HANDOFF_KEY));
}

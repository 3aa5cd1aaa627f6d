import { tryOrUndefined, parseObject, parsePlayer, serializePlayer } from './persistence.ts';
import type { SavedPlayer, KeyValueStorage } from './persistence.ts';
import { selectIsPreviewEnded } from '#web/player/preview-limit.ts';
import type { PlayerState } from '#web/player/store.ts';
import { HOUR } from '#contract/rules/time.ts';

export const CHECKOUT_HANDOFF_KEY = 'player-checkout-handoff';
const VERSION = 1;
/** A bank may take its time, but older music would come as a surprise. */
const MAX_AGE_MS = HOUR;

type CheckoutHandoff = {
  player: SavedPlayer;
  /** It was playing, or the end of the preview had stopped it: it should continue automatically. */
  isInterrupted: boolean;
};

const isInterrupted = (state: PlayerState): boolean =>
  state.isPlaying || state.isStarting || selectIsPreviewEnded(state);

/**
 * Saves what this tab plays until it returns from the payment provider's site. It is stored apart
 * from the visit, which all tabs share: another tab may play something else in the meantime.
 */
export function saveCheckoutHandoff(
  storage: KeyValueStorage,
  state: PlayerState,
  owner: string,
  now: number,
): void {
  if (!state.currentTrack) return deleteCheckoutHandoff(storage);
  const handoff = {
    version: VERSION,
    owner,
    at: now,
    isInterrupted: isInterrupted(state),
    player: serializePlayer(state, now),
  };
  tryOrUndefined(() => storage.setItem(CHECKOUT_HANDOFF_KEY, JSON.stringify(handoff)));
}

/** Works once, and only for the user who saved it. */
export function popCheckoutHandoff(
  storage: KeyValueStorage,
  owner: string,
  now: number,
): CheckoutHandoff | null {
  const raw = parseObject(tryOrUndefined(() => storage.getItem(CHECKOUT_HANDOFF_KEY)) ?? null);
  deleteCheckoutHandoff(storage);
  if (raw?.version !== VERSION || raw.owner !== owner) return null;
  if (typeof raw.at !== 'number' || !(now - raw.at < MAX_AGE_MS)) return null;
  const player = parsePlayer(typeof raw.player === 'string' ? raw.player : null);
  return player?.currentTrack ? { player, isInterrupted: raw.isInterrupted === true } : null;
}

function deleteCheckoutHandoff(storage: KeyValueStorage): void {
  tryOrUndefined(() => storage.removeItem(CHECKOUT_HANDOFF_KEY));
}

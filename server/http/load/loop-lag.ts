/** A turn of the event loop that takes less than this isn't worth watching. */
const SHORT_TURN_MS = 5;

export type LoopLag = {
  /** How long this turn of the event loop takes already, in milliseconds. */
  read: () => number;
};

/**
 * Measures how late the event loop is at the moment a request is read: everything that is ready is
 * handled in one turn, so a request that comes late in a long turn has waited for it. A timer would
 * know that only afterwards. While turns are long, the next one starts where the last one ended.
 */
export function createLoopLag(
  now: () => number = () => performance.now(),
  atEndOfTurn: (callback: () => void) => void = setImmediate,
): LoopLag {
  let startedAt: number | null = null;
  let isUsed = false;

  function endTurn() {
    const at = now();
    const isBusy = isUsed && startedAt !== null && at - startedAt > SHORT_TURN_MS;
    startedAt = isBusy ? at : null;
    isUsed = false;
    if (isBusy) atEndOfTurn(endTurn);
  }

  return {
    read: () => {
      isUsed = true;
      const at = now();
      if (startedAt !== null) return at - startedAt;
      startedAt = at;
      atEndOfTurn(endTurn);
      return 0;
    },
  };
}

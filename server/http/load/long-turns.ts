/** So that a page is never forgotten while there is no end of short requests. */
const LONGEST_WAIT_MS = 100;

type TurnClock = {
  /** In milliseconds. */
  now: () => number;
  /** Calls back in the next turn of the event loop. */
  soon: (callback: () => void) => void;
};

/**
 * For work that takes many milliseconds, such as rendering a page: one piece in each turn of the
 * event loop, and short requests that wait for their turn go first.
 */
export function createLongTurns(
  hasWaiting: () => boolean,
  clock: TurnClock = {
    now: () => performance.now(),
    soon: (callback) => void setImmediate(callback),
  },
): () => Promise<void> {
  let last = Promise.resolve();
  const nextTurn = () => new Promise<void>((resolve) => clock.soon(resolve));

  async function wait(since: number): Promise<void> {
    do await nextTurn();
    while (hasWaiting() && clock.now() - since < LONGEST_WAIT_MS);
  }

  return () => {
    const since = clock.now();
    last = last.then(() => wait(since));
    return last;
  };
}

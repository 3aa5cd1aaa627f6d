import { isReacting } from './early-press.ts';

/** Long work in several tasks, between which the browser can paint and react. */
export const nextTask = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

const POLL_MS = 100;
const MAX_WAIT_MS = 5_000;

/** Runs once the page shows its heading and reacts, so that background work never delays it. */
export function afterHydration(run: () => void, maxWaitMs = MAX_WAIT_MS): () => void {
  const start = performance.now();
  const timer = setInterval(() => {
    const isLate = performance.now() - start > maxWaitMs;
    if (!isLate && !(document.querySelector('h1') && isReacting())) return;
    clearInterval(timer);
    run();
  }, POLL_MS);
  return () => clearInterval(timer);
}

/** A slow device takes longer for a single piece of work, and then shows a frame before the next. */
const PIECES_MS = 3;

/**
 * A queue for small pieces of work of one kind, which run between frames for about `ms` each time.
 * Those that came last go first: when people scroll faster than rows can render, the earlier ones
 * are about to leave.
 */
export function createFrameQueue(ms = PIECES_MS): (run: () => void) => () => void {
  let pieces = new Set<() => void>();
  let added = new Set<() => void>();
  let isWaiting = false;
  const waitForFrame = () => {
    if (isWaiting) return;
    isWaiting = true;
    requestAnimationFrame(() => setTimeout(runPieces));
  };
  const runPieces = () => {
    isWaiting = false;
    pieces = new Set([...added, ...pieces]);
    added = new Set();
    const start = performance.now();
    try {
      for (const run of pieces) {
        pieces.delete(run);
        run();
        if (performance.now() - start >= ms) break;
      }
    } finally {
      if (pieces.size > 0) waitForFrame();
    }
  };
  return (run) => {
    waitForFrame();
    added.add(run);
    return () => {
      pieces.delete(run);
      added.delete(run);
    };
  };
}

/** Runs a piece of work between frames. Returns a function that cancels it. */
export const runBetweenFrames = createFrameQueue();

const PAUSE_MS = 2000;
const USES = ['scroll', 'keydown', 'pointerdown'];

/** For work that holds up the page: runs once it can, and nobody scrolls, types or presses. */
export function runWhenUnused(canRun: () => boolean, run: () => void, page = window): void {
  const inputs = new AbortController();
  let isUsed = false;
  for (const input of USES)
    page.addEventListener(input, () => (isUsed = true), {
      capture: true,
      passive: true,
      signal: inputs.signal,
    });
  const timer = setInterval(() => {
    const wasUsed = isUsed;
    isUsed = false;
    if (wasUsed || !canRun()) return;
    clearInterval(timer);
    inputs.abort();
    run();
  }, PAUSE_MS);
}

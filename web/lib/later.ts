import { isReacting } from './early-press.ts';

/** Long work in several tasks, between which the browser can paint and react. */
export const nextTask = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

const POLL_MS = 100;
const MAX_WAIT_MS = 5_000;

/** Runs once the page shows its heading and reacts, so that background work never delays it. */
export function runAfterFirstPaint(run: () => void, maxWaitMs = MAX_WAIT_MS): () => void {
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

const pieces = new Set<() => void>();

/** Runs small pieces of work between frames. Returns a function that takes this one back. */
export function runBetweenFrames(run: () => void): () => void {
  if (pieces.size === 0) waitForFrame();
  pieces.add(run);
  return () => pieces.delete(run);
}

const waitForFrame = () => requestAnimationFrame(() => setTimeout(runPieces));

function runPieces(): void {
  const start = performance.now();
  try {
    for (const run of pieces) {
      pieces.delete(run);
      run();
      if (performance.now() - start >= PIECES_MS) break;
    }
  } finally {
    if (pieces.size > 0) waitForFrame();
  }
}

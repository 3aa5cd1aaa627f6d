const PAUSE_MS = 2000;
const INPUTS = ['scroll', 'keydown', 'pointerdown'];

/** For work that holds up the page: runs once it can, and nobody scrolls, types or presses. */
export function runWhenUnused(canRun: () => boolean, run: () => void, page = window): void {
  const inputs = new AbortController();
  let isUsed = false;
  for (const input of INPUTS)
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

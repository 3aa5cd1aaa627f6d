const LOOK_EVERY_MS = 100;
const LONGEST_WAIT_MS = 5_000;

/** Runs once the page has its heading: what nobody waits for must not stand in line before it. */
export function whenPageShows(run: () => void): () => void {
  const start = performance.now();
  const timer = setInterval(() => {
    const isLate = performance.now() - start > LONGEST_WAIT_MS;
    if (!isLate && !document.querySelector('h1')) return;
    clearInterval(timer);
    run();
  }, LOOK_EVERY_MS);
  return () => clearInterval(timer);
}

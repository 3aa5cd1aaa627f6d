const INPUTS = ['pointermove', 'pointerdown', 'keydown', 'scroll'];

let hasInput = false;

/** Runs once the user moves, presses or scrolls. A page that nobody touches stays light. */
export function runOnFirstInput(run: () => void): () => void {
  if (hasInput) {
    run();
    return () => undefined;
  }
  const stop = () => INPUTS.forEach((input) => window.removeEventListener(input, start));
  function start(): void {
    hasInput = true;
    stop();
    run();
  }
  for (const input of INPUTS) window.addEventListener(input, start, { passive: true });
  return stop;
}

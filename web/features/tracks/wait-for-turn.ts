import { flushSync } from 'react-dom';

const waiting = new Set<() => void>();

/** Runs updates of React one per task, so that a slow device can scroll and paint in between. */
export function waitForTurn(update: () => void): () => void {
  if (waiting.size === 0) setTimeout(takeTurn);
  waiting.add(update);
  return () => waiting.delete(update);
}

function takeTurn(): void {
  const [update] = waiting;
  if (!update) return;
  waiting.delete(update);
  flushSync(update);
  if (waiting.size > 0) setTimeout(takeTurn);
}

import { useEffect, useState } from 'react';

/** Safari has no idle callback; a moment later does as well. */
const whenIdle = (run: () => void): (() => void) => {
  if (!('requestIdleCallback' in window)) {
    const timer = setTimeout(run, 200);
    return () => clearTimeout(timer);
  }
  const handle = requestIdleCallback(run, { timeout: 1000 });
  return () => cancelIdleCallback(handle);
};

/** False until what matters is on the page and the browser has nothing better to do. */
export function useIsSettled(isReady = true): boolean {
  const [isSettled, setSettled] = useState(false);
  useEffect(() => (isReady ? whenIdle(() => setSettled(true)) : undefined), [isReady]);
  return isSettled;
}

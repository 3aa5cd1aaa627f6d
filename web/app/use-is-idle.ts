import { useEffect, useState } from 'react';

/** Safari has no requestIdleCallback; a short delay does the same. */
const whenIdle = (run: () => void): (() => void) => {
  if (!('requestIdleCallback' in window)) {
    const timer = setTimeout(run, 200);
    return () => clearTimeout(timer);
  }
  const handle = requestIdleCallback(run, { timeout: 1000 });
  return () => cancelIdleCallback(handle);
};

/** True once the page is ready and the browser is idle. */
export function useIsIdle(isReady = true): boolean {
  const [isIdle, setIdle] = useState(false);
  useEffect(() => (isReady ? whenIdle(() => setIdle(true)) : undefined), [isReady]);
  return isIdle;
}

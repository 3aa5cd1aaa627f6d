import { useSyncExternalStore } from 'react';

const wide = window.matchMedia('(width >= 48rem)');

function subscribe(listener: () => void): () => void {
  wide.addEventListener('change', listener);
  return () => wide.removeEventListener('change', listener);
}

/** Room for two things side by side: where the sidebar stands. */
export const useIsWide = (): boolean => useSyncExternalStore(subscribe, () => wide.matches);

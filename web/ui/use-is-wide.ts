import { useSyncExternalStore } from 'react';

const wide = window.matchMedia('(width >= 48rem)');

function subscribe(onChange: () => void): () => void {
  wide.addEventListener('change', onChange);
  return () => wide.removeEventListener('change', onChange);
}

/** Room for two things side by side: where the sidebar shows. */
export const useIsWide = (): boolean => useSyncExternalStore(subscribe, () => wide.matches);

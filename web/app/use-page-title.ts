import { useEffect } from 'react';
import { useLocation } from 'wouter';
import { boot } from '#web/lib/boot.ts';

/** Sets the title of a page about one thing, once its name has loaded. */
export function usePageTitle(title: string | null | undefined): void {
  const [location] = useLocation();
  useEffect(() => {
    if (!title) return;
    let isGone = false;
    // Runs after the route has set its own title in the same tick.
    queueMicrotask(() => {
      if (!isGone) document.title = `${title} · ${boot.siteName}`;
    });
    return () => {
      isGone = true;
    };
  }, [title, location]);
}

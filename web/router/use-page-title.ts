import { useEffect } from 'react';
import { boot } from '#web/lib/store/boot.ts';

/** Sets the title of a page about one thing, once its name has loaded. */
export function usePageTitle(title: string | null | undefined): void {
  useEffect(() => {
    if (!title) return;
    let isGone = false;
    let routeTitle: string | undefined;
    // Runs after the route has set its own title in the same tick.
    queueMicrotask(() => {
      if (isGone) return;
      routeTitle = document.title;
      document.title = `${title} · ${boot.siteName}`;
    });
    return () => {
      isGone = true;
      // The next thing on this page may be missing, or still loading.
      if (routeTitle !== undefined) document.title = routeTitle;
    };
  }, [title]);
}

import { useEffect } from 'react';
import { boot } from '#web/lib/boot.ts';

/** For a page that is about one thing: its name, once it is known. */
export function usePageTitle(title: string | undefined): void {
  useEffect(() => {
    if (!title) return;
    let isGone = false;
    // After the page's own title has been set, which happens in the same turn.
    queueMicrotask(() => {
      if (!isGone) document.title = `${title} · ${boot.siteName}`;
    });
    return () => {
      isGone = true;
    };
  }, [title]);
}

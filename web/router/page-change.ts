import type { AroundNavHandler } from 'wouter';
import { noteLinkOpened } from '#web/lib/location/opened-by-link.ts';
import { createStore } from '#web/lib/store/store.ts';
import { leaveOverlays } from '#web/ui/overlays/back-closes.ts';

type ShowPage = (to: string, show: () => void) => void;

/** How a page replaces another. Its code loads after the first paint. */
export const pageTransition = createStore<ShowPage>((_to, show) => show());

/** For the router: leaves the page and everything that covers it, and shows the other one. */
export const changePage: AroundNavHandler = (navigate, to, options) => {
  noteLinkOpened();
  const show = options?.replace ? pageTransition.getInitial() : pageTransition.get();
  leaveOverlays((path, settings) => show(path, () => navigate(path, settings)), to, options);
};

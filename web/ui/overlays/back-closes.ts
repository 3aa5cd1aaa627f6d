import { useEffect, useEffectEvent } from 'react';
import type { AroundNavHandler } from 'wouter';
import { createStore, useStore } from '#web/lib/store.ts';
import type { OverlayHistory } from './overlay-history.ts';

/** Its code loads after the first paint. What is open by then, it closes too. */
export const overlayHistory = createStore<OverlayHistory | null>(null);

/** While something covers the page, Back closes it and stays on the page. */
export function useBackCloses(isOpen: boolean, close: () => void): void {
  const onBack = useEffectEvent(close);
  const history = useStore(overlayHistory);
  useEffect(() => (isOpen ? history?.add(() => onBack()) : undefined), [isOpen, history]);
}

/** For the router: leaves the page, and everything that covers it. */
export const leaveOverlays: AroundNavHandler = (navigate, to, options) => {
  const leave = () => navigate(to, options);
  const history = overlayHistory.get();
  if (history) history.leave(leave, options?.replace);
  else leave();
};

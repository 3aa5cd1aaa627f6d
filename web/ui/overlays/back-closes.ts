import { useEffect, useEffectEvent } from 'react';
import type { AroundNavHandler } from 'wouter';
import type { OverlayHistory } from './overlay-history.ts';

let overlayHistory: OverlayHistory | undefined;

/** Its code loads after the first paint; there is nothing to close before. */
export function setOverlayHistory(loaded: OverlayHistory): void {
  overlayHistory = loaded;
}

/** While something covers the page, Back closes it and stays on the page. */
export function useBackCloses(isOpen: boolean, close: () => void): void {
  const onBack = useEffectEvent(close);
  useEffect(() => (isOpen ? overlayHistory?.add(() => onBack()) : undefined), [isOpen]);
}

/** For the router: leaves the page, and everything that covers it. */
export const leaveOverlays: AroundNavHandler = (navigate, to, options) =>
  overlayHistory
    ? overlayHistory.leave(() => navigate(to, options), options?.replace)
    : navigate(to, options);

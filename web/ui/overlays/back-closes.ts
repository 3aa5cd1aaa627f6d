import { useEffect, useEffectEvent } from 'react';
import type { AroundNavHandler } from 'wouter';
import { createOverlayHistory } from './overlay-history.ts';

const overlayHistory = typeof window === 'undefined' ? null : createOverlayHistory(window);

/** While something covers the page, Back closes it and stays on the page. */
export function useBackCloses(isOpen: boolean, close: () => void): void {
  const onBack = useEffectEvent(close);
  useEffect(() => (isOpen ? overlayHistory?.add(() => onBack()) : undefined), [isOpen]);
}

/** For the router: leaves the page, and everything that covers it. */
export const leaveOverlays: AroundNavHandler = (navigate, to, options) =>
  overlayHistory?.leave(() => navigate(to, options));

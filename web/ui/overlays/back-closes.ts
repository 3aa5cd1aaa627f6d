import { useEffect, useEffectEvent } from 'react';
import type { AroundNavHandler } from 'wouter';
import { createStore, useStore } from '#web/lib/store/store.ts';
import type { OverlayHistory } from './overlay-history.ts';

/** Its code loads after the first paint. What is open by then, it closes too. */
export const overlayHistory = createStore<OverlayHistory | null>(null);

/** While something covers the page, Back closes it and stays on the page. */
export function useBackCloses(isOpen: boolean, close: () => void): void {
  const onBack = useEffectEvent(close);
  const history = useStore(overlayHistory);
  useEffect(() => (isOpen ? history?.add(() => onBack()) : undefined), [isOpen, history]);
}

/** Asks before what was typed on this page is lost; null while all of it is saved. */
export const leaveQuestion = createStore<((leave: () => void) => void) | null>(null);

/** Leaves at once, or after the user has said that what isn't saved may be lost. */
export const askThenLeave = (leave: () => void): void => {
  const ask = leaveQuestion.get();
  if (ask) ask(leave);
  else leave();
};

/** For the router: leaves the page, and everything that covers it. */
export const leaveOverlays: AroundNavHandler = (navigate, to, options) => {
  const leave = () => {
    const show = () => navigate(to, options);
    const history = overlayHistory.get();
    if (history) history.leave(show, options?.replace);
    else show();
  };
  // A redirect has no choice, and a link to this very page keeps its forms.
  if (options?.replace || to === location.pathname + location.search) leave();
  else askThenLeave(leave);
};

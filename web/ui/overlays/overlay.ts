import { useEffect, useEffectEvent, type RefObject } from 'react';

/** The dimmed background behind dialogs and sheets. */
export const scrimClass =
  'fixed inset-0 z-80 bg-scrim data-[state=closed]:animate-fade-out data-[state=open]:animate-fade-in';

/** Elements that had the focus or were clicked, most recent last. */
const recentElements = new Set<HTMLElement>();

function remember(target: EventTarget | null): void {
  const element = target instanceof Element && target.closest('a[href], button, input, [tabindex]');
  if (!(element instanceof HTMLElement)) return;
  recentElements.delete(element);
  recentElements.add(element);
  for (const other of recentElements) if (!other.isConnected) recentElements.delete(other);
}

if (typeof document !== 'undefined') {
  remember(document.activeElement);
  // Some browsers don't focus a button when it is clicked.
  for (const type of ['focusin', 'click'])
    document.addEventListener(type, ({ target }) => remember(target), true);
}

const canFocus = (element: HTMLElement): boolean =>
  element.isConnected &&
  !element.matches(':disabled') &&
  element.checkVisibility({ visibilityProperty: true });

/**
 * Returns the focus when an overlay closes, unless it has already moved to another page or to what
 * the user clicked. Without an opener, it goes to the last focused element that is still there.
 */
export function returnFocus(event: Event, opener?: RefObject<HTMLElement | null>): void {
  const hasMoved = document.activeElement !== document.body;
  const element = hasMoved ? null : (opener?.current ?? [...recentElements].findLast(canFocus));
  if (hasMoved || element) event.preventDefault();
  element?.focus({ preventScroll: true });
}

/** What closes the open overlays, the topmost last. */
const openOverlays = new Set<() => void>();

/** Lets `closeTopOverlay` close it. */
export function useTopOverlay(isOpen: boolean, close: () => void): void {
  const onClose = useEffectEvent(close);
  useEffect(() => {
    if (!isOpen) return;
    const closeThis = () => onClose();
    openOverlays.add(closeThis);
    return () => void openOverlays.delete(closeThis);
  }, [isOpen]);
}

/** False if nothing is open. */
export function closeTopOverlay(): boolean {
  const close = [...openOverlays].at(-1);
  close?.();
  return close !== undefined;
}

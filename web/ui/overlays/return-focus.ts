import type { RefObject } from 'react';

/** What had the focus or was pressed, the last at the end, as long as it is in the page. */
const places = new Set<HTMLElement>();

function remember(target: EventTarget | null): void {
  const place = target instanceof Element && target.closest('a[href], button, input, [tabindex]');
  if (!(place instanceof HTMLElement)) return;
  places.delete(place);
  places.add(place);
  for (const known of places) if (!known.isConnected) places.delete(known);
}

if (typeof document !== 'undefined') {
  remember(document.activeElement);
  // Not every browser gives the focus to a button that is clicked.
  for (const type of ['focusin', 'click'])
    document.addEventListener(type, ({ target }) => remember(target), true);
}

const canTakeFocus = (place: HTMLElement): boolean =>
  place.isConnected &&
  !place.matches(':disabled') &&
  place.checkVisibility({ visibilityProperty: true });

/**
 * After an overlay has closed, unless the focus has gone somewhere by choice: to another page, or to
 * what was clicked. Without an opener it goes back to where it was last; what was in the overlay is
 * gone by then, and so may be what opened it.
 */
export function returnFocus(event: Event, opener?: RefObject<HTMLElement | null>): void {
  const hasMoved = document.activeElement !== document.body;
  const place = hasMoved ? null : (opener?.current ?? [...places].findLast(canTakeFocus));
  if (hasMoved || place) event.preventDefault();
  place?.focus({ preventScroll: true });
}

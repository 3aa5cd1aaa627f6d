const EDGE_PX = 88;
const MAX_PX_PER_FRAME = 18;

type PointerDrag = {
  /** What is dragged, at the position of the pointer in the window. */
  element: Element;
  startY: number;
  onMove: (pixels: number) => void;
  onDrop: () => void;
  onCancel: () => void;
};

/** Scrolls faster the closer the pointer is to the edge; 0 away from the edges. */
function scrollSpeed(clientY: number, top: number, bottom: number): number {
  const edge = Math.min(EDGE_PX, (bottom - top) / 4);
  const above = top + edge - clientY;
  const below = clientY - (bottom - edge);
  const depth = Math.max(above, below);
  if (depth <= 0) return 0;
  const speed = Math.ceil((Math.min(depth, edge) / edge) * MAX_PX_PER_FRAME);
  return above > below ? -speed : speed;
}

/** The panel that scrolls this element, or the page. */
export function findScroller(element: Element): Element {
  for (let parent = element.parentElement; parent; parent = parent.parentElement)
    if (/auto|scroll/.test(getComputedStyle(parent).overflowY)) return parent;
  return document.documentElement;
}

/** The part of the window where the rows show; the header and the player bar cover the page. */
function visibleSpan(scroller: Element): { top: number; bottom: number } {
  if (scroller !== document.documentElement) return scroller.getBoundingClientRect();
  const root = getComputedStyle(document.documentElement);
  const read = (name: string) => parseFloat(root.getPropertyValue(name)) || 0;
  return { top: read('--header'), bottom: window.innerHeight - read('--player') };
}

/** Escape cancels a drag, and doesn't close the panel around it. */
export function watchEscape(onCancel: () => void): () => void {
  const controller = new AbortController();
  window.addEventListener(
    'keydown',
    (event) => {
      if (event.key !== 'Escape') return;
      event.preventDefault();
      event.stopPropagation();
      onCancel();
    },
    { signal: controller.signal, capture: true },
  );
  return () => controller.abort();
}

/**
 * Follows the pointer until it is released, scrolling the panel or the page at its edges. Subscribes
 * on the window, because the row may be rendered again during the drag. Returns a function that ends it.
 */
export function watchPointerDrag(drag: PointerDrag): () => void {
  const { element, startY, onMove, onDrop, onCancel } = drag;
  const scroller = findScroller(element);
  const { top, bottom } = visibleSpan(scroller);
  const startTop = scroller.scrollTop;
  let clientY = startY;
  let frame = requestAnimationFrame(scroll);
  const controller = new AbortController();
  const { signal } = controller;

  const reportMove = () => onMove(clientY - startY + scroller.scrollTop - startTop);
  const stopWatchingEscape = watchEscape(() => (end(), onCancel()));
  const end = () => {
    controller.abort();
    stopWatchingEscape();
    cancelAnimationFrame(frame);
  };

  function scroll(): void {
    const speed = scrollSpeed(clientY, top, bottom);
    if (speed !== 0) scroller.scrollBy({ top: speed, behavior: 'instant' });
    frame = requestAnimationFrame(scroll);
  }

  window.addEventListener(
    'pointermove',
    (event) => {
      clientY = event.clientY;
      reportMove();
    },
    { signal },
  );
  // A panel's scrolling doesn't bubble to the window.
  window.addEventListener('scroll', reportMove, { signal, passive: true, capture: true });
  window.addEventListener('pointerup', () => (end(), onDrop()), { signal });
  window.addEventListener('pointercancel', () => (end(), onCancel()), { signal });
  return end;
}

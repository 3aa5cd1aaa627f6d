const EDGE_PX = 88;
const MAX_PX_PER_FRAME = 18;

type PointerDrag = {
  /** Where on the page the drag started. */
  startY: number;
  onMove: (pixels: number) => void;
  onDrop: () => void;
  onCancel: () => void;
};

/** Scrolls faster the closer the pointer is to the edge; 0 away from the edges. */
function scrollSpeed(clientY: number, top: number, bottom: number): number {
  const above = top + EDGE_PX - clientY;
  const below = clientY - (bottom - EDGE_PX);
  const depth = Math.max(above, below);
  if (depth <= 0) return 0;
  const speed = Math.ceil((Math.min(depth, EDGE_PX) / EDGE_PX) * MAX_PX_PER_FRAME);
  return above > below ? -speed : speed;
}

/** The part of the window that the header and the player bar don't cover. */
function visibleSpan(): { top: number; bottom: number } {
  const root = getComputedStyle(document.documentElement);
  const read = (name: string) => parseFloat(root.getPropertyValue(name)) || 0;
  return { top: read('--header'), bottom: window.innerHeight - read('--player') };
}

/**
 * Follows the pointer until it is released, scrolling the page at its edges. Subscribes on the
 * window, because the row may be rendered again meanwhile. Returns a function that ends it.
 */
export function watchPointerDrag({ startY, onMove, onDrop, onCancel }: PointerDrag): () => void {
  const { top, bottom } = visibleSpan();
  let clientY = startY - window.scrollY;
  let frame = requestAnimationFrame(scroll);
  const controller = new AbortController();
  const { signal } = controller;

  const reportMove = () => onMove(clientY + window.scrollY - startY);
  const end = () => {
    controller.abort();
    cancelAnimationFrame(frame);
  };

  function scroll(): void {
    const speed = scrollSpeed(clientY, top, bottom);
    if (speed !== 0) window.scrollBy({ top: speed, behavior: 'instant' });
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
  window.addEventListener('scroll', reportMove, { signal, passive: true });
  window.addEventListener('pointerup', () => (end(), onDrop()), { signal });
  window.addEventListener('pointercancel', () => (end(), onCancel()), { signal });
  window.addEventListener(
    'keydown',
    (event) => {
      if (event.key !== 'Escape') return;
      event.preventDefault();
      event.stopPropagation();
      end();
      onCancel();
    },
    { signal, capture: true },
  );
  return end;
}

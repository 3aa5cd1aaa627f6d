const EDGE_PX = 88;
const MOST_PX_PER_FRAME = 18;

type Carry = {
  /** Where on the page it was taken hold of. */
  startY: number;
  onCarried: (pixels: number) => void;
  onDropped: () => void;
  onCancelled: () => void;
};

/** Faster the nearer the pointer is to an edge of what can be seen; 0 away from both. */
export function scrollSpeed(clientY: number, top: number, bottom: number): number {
  const above = top + EDGE_PX - clientY;
  const below = clientY - (bottom - EDGE_PX);
  const depth = Math.max(above, below);
  if (depth <= 0) return 0;
  const speed = Math.ceil((Math.min(depth, EDGE_PX) / EDGE_PX) * MOST_PX_PER_FRAME);
  return above > below ? -speed : speed;
}

/** Header and player cover parts of the window; the row must not be carried under them. */
function visibleSpan(): { top: number; bottom: number } {
  const root = getComputedStyle(document.documentElement);
  const read = (name: string) => parseFloat(root.getPropertyValue(name)) || 0;
  return { top: read('--header'), bottom: window.innerHeight - read('--player') };
}

/**
 * Follows a pointer until it lets go, scrolling the page at its edges. Listens on the window: the
 * row itself may be drawn anew meanwhile. Returns what ends it.
 */
export function carryPointer({ startY, onCarried, onDropped, onCancelled }: Carry): () => void {
  const { top, bottom } = visibleSpan();
  let clientY = startY - window.scrollY;
  let frame = requestAnimationFrame(scroll);
  const listening = new AbortController();
  const { signal } = listening;

  const tell = () => onCarried(clientY + window.scrollY - startY);
  const end = () => {
    listening.abort();
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
      tell();
    },
    { signal },
  );
  window.addEventListener('scroll', tell, { signal, passive: true });
  window.addEventListener('pointerup', () => (end(), onDropped()), { signal });
  window.addEventListener('pointercancel', () => (end(), onCancelled()), { signal });
  window.addEventListener(
    'keydown',
    (event) => {
      if (event.key !== 'Escape') return;
      event.preventDefault();
      event.stopPropagation();
      end();
      onCancelled();
    },
    { signal, capture: true },
  );
  return end;
}

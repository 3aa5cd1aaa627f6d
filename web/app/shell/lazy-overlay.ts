import { lazy, useState, type ComponentType } from 'react';

export type OverlayProps = { open: boolean; onOpenChange: (open: boolean) => void };

/**
 * A menu or sheet whose code arrives with the first sign of interest, not with the page.
 * The button that opens it stays a plain button, so focus never jumps when the code is there.
 */
export function lazyOverlay<P extends OverlayProps>(load: () => Promise<ComponentType<P>>) {
  const Overlay = lazy(async () => ({ default: await load() }));
  return function useOverlay() {
    const [open, setOpen] = useState(false);
    const [isWanted, setWanted] = useState(false);
    const onOpenChange = (next: boolean) => {
      if (next) setWanted(true);
      setOpen(next);
    };
    return {
      Overlay: isWanted ? Overlay : null,
      open,
      onOpenChange,
      prefetch: () => void load().catch(() => undefined),
    };
  };
}

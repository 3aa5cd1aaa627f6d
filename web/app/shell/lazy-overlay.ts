import { lazy, useState, type ComponentType } from 'react';
import { useLocation } from 'wouter';

export type OverlayProps = { open: boolean; onOpenChange: (open: boolean) => void };

/**
 * A menu or sheet whose code arrives with the first sign of interest, not with the page.
 * The button that opens it stays a plain button, so focus never jumps when the code is there.
 * It is open on the page where it was opened: following a link closes it.
 */
export function lazyOverlay<P extends OverlayProps>(load: () => Promise<ComponentType<P>>) {
  const Overlay = lazy(async () => ({ default: await load() }));
  return function useOverlay() {
    const [location] = useLocation();
    const [openedOn, setOpenedOn] = useState<string | null>(null);
    const [isWanted, setWanted] = useState(false);
    const onOpenChange = (open: boolean) => {
      if (open) setWanted(true);
      setOpenedOn(open ? location : null);
    };
    return {
      Overlay: isWanted ? Overlay : null,
      open: openedOn === location,
      onOpenChange,
      prefetch: () => void load().catch(() => undefined),
    };
  };
}

import { Suspense, useState, type ComponentType, type RefObject } from 'react';
import { useLocation } from 'wouter';
import { ErrorBoundary } from '../error-boundary.tsx';
import { reloadableLazy } from '#web/lib/reloadable-lazy.ts';

export type OverlayProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** The plain button that opens it; it is there before the code is, so focus never jumps. */
  opener: RefObject<HTMLElement | null>;
};

/**
 * A menu or sheet whose code arrives with the first sign of interest, not with the page. It is open
 * on the page where it was opened: following a link closes it. When its code does not arrive, it
 * stays closed and the next click tries again.
 */
export function lazyOverlay<P extends OverlayProps>(load: () => Promise<ComponentType<P>>) {
  const lazily = reloadableLazy<P>(load);

  function Overlay(props: P) {
    const [isGivenUp, setGivenUp] = useState(false);
    const giveUp = () => {
      lazily.reload();
      setGivenUp(true);
      props.onOpenChange(false);
    };
    // Closed again, it asks for nothing: an attempt nobody waits for would close the next one.
    if (isGivenUp && !props.open) return null;
    if (isGivenUp) setGivenUp(false);
    return (
      <ErrorBoundary fallback={null} onError={giveUp}>
        <Suspense fallback={null}>
          <lazily.Part {...props} />
        </Suspense>
      </ErrorBoundary>
    );
  }

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
      prefetch: lazily.prefetch,
    };
  };
}

import { Suspense, useState, type ComponentType, type RefObject } from 'react';
import { useLocation } from 'wouter';
import { ErrorBoundary } from '../error-boundary.tsx';
import { reloadableLazy } from '#web/lib/reloadable-lazy.ts';

export type OverlayProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** The button that opens it. It exists before the overlay's code loads, so focus never jumps. */
  opener: RefObject<HTMLElement | null>;
};

/**
 * A menu, sheet or dialog whose code loads on hover or focus, not with the page. Following a link
 * closes it. If its code fails to load, it stays closed and the next click tries again.
 */
export function lazyOverlay<P extends OverlayProps>(load: () => Promise<ComponentType<P>>) {
  const lazily = reloadableLazy<P>(load);

  function Overlay(props: P) {
    const [hasFailed, setFailed] = useState(false);
    const onError = () => {
      lazily.reload();
      setFailed(true);
      props.onOpenChange(false);
    };
    // While closed, don't try again: a failed attempt would close the next one.
    if (hasFailed && !props.open) return null;
    if (hasFailed) setFailed(false);
    return (
      <ErrorBoundary fallback={null} onError={onError}>
        <Suspense fallback={null}>
          <lazily.Part {...props} />
        </Suspense>
      </ErrorBoundary>
    );
  }

  return function useOverlay() {
    const [location] = useLocation();
    const [openedOn, setOpenedOn] = useState<string | null>(null);
    const [isRequested, setRequested] = useState(false);
    const onOpenChange = (open: boolean) => {
      if (open) setRequested(true);
      setOpenedOn(open ? location : null);
    };
    return {
      Overlay: isRequested ? Overlay : null,
      open: openedOn === location,
      onOpenChange,
      prefetch: lazily.prefetch,
    };
  };
}

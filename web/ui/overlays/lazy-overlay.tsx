import { Suspense, useRef, useState, type KeyboardEvent, type RefObject } from 'react';
import { useLocation } from 'wouter';
import { reloadableLazy, type PropsOf } from '#web/lib/schedule/lazy-component.ts';
import { ErrorBoundary } from '../error-boundary.tsx';

export type OverlayProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** The button that opens it. It exists before the overlay's code loads, so focus never jumps. */
  opener: RefObject<HTMLElement | null>;
};

/**
 * A menu, dialog or sheet whose code loads when it first opens. If that fails, it says so with
 * `onFail`, which closes it, and loads again when it is opened again.
 */
export function lazyPanel<Module, Name extends keyof Module>(
  load: () => Promise<Module>,
  name: Name,
) {
  type Props = PropsOf<Module[Name]>;
  const lazily = reloadableLazy(load, name);

  function Panel(props: Props & { open: boolean; onFail: () => void }) {
    const [hasFailed, setFailed] = useState(false);
    const onError = () => {
      lazily.reload();
      setFailed(true);
      props.onFail();
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

  return Object.assign(Panel, { prefetch: lazily.prefetch });
}

/**
 * A menu or dialog whose code loads on hover or focus of its button, not with the page. Following a
 * link closes it. If its code fails to load, it stays closed and the next click tries again.
 */
export function lazyOverlay<Module, Name extends keyof Module>(
  kind: 'menu' | 'dialog',
  load: () => Promise<Module>,
  name: Name,
) {
  type Props = PropsOf<Module[Name]>;
  const Panel = lazyPanel(load, name);

  return function useOverlay() {
    const [location] = useLocation();
    const [openedOn, setOpenedOn] = useState<string | null>(null);
    const [isRequested, setRequested] = useState(false);
    const opener = useRef<HTMLButtonElement>(null);
    // Coming back to the page must not open it again.
    if (openedOn !== null && openedOn !== location) setOpenedOn(null);
    const open = openedOn === location;
    const onOpenChange = (isOpen: boolean) => {
      if (isOpen) setRequested(true);
      setOpenedOn(isOpen ? location : null);
    };
    return {
      open,
      close: () => onOpenChange(false),
      /** For the button that opens it. */
      buttonProps: {
        ref: opener,
        'aria-haspopup': kind,
        ...(kind === 'menu' && { 'aria-expanded': open, onKeyDown: openWithArrow(onOpenChange) }),
        onPointerEnter: Panel.prefetch,
        onFocus: Panel.prefetch,
        onClick: () => onOpenChange(kind === 'dialog' || !open),
      },
      /** The overlay itself, once someone opened it. */
      render: (props: Omit<Props, keyof OverlayProps>) =>
        isRequested && (
          <Panel
            {...({ ...props, open, onOpenChange, opener } as Props & OverlayProps)}
            onFail={() => onOpenChange(false)}
          />
        ),
    };
  };
}

const openWithArrow = (onOpenChange: (open: boolean) => void) => (event: KeyboardEvent) => {
  if (event.key !== 'ArrowDown') return;
  event.preventDefault();
  onOpenChange(true);
};

import { CircleAlert, X } from '../icons.ts';
import * as Radix from 'radix-ui/toast';
import { useEffect, useRef, type RefObject } from 'react';
import { createPortal } from 'react-dom';
import {
  dismissToast,
  pauseToast,
  resumeToast,
  runToastAction,
} from '#web/lib/store/toast-queue.ts';
import type { Toast as ToastContent } from '#web/lib/store/toasts.ts';
import { IconButton } from '../icon-button.tsx';
import { closeTopOverlay } from './overlay.ts';
import { watchToastPlace } from './toast-place.ts';

const SWIPE_THRESHOLD_PX = 50;

export function Toaster({ toast }: { toast: ToastContent }) {
  const viewport = useRef<HTMLOListElement>(null);
  return (
    <Radix.Provider swipeDirection="right" swipeThreshold={SWIPE_THRESHOLD_PX}>
      <Toast key={toast.id} toast={toast} viewport={viewport} />
      {createPortal(
        // A dialog hides the rest of the page from screen readers, except for live regions.
        <div aria-live="off">
          <Radix.Viewport
            ref={viewport}
            className="fixed right-gutter bottom-[calc(var(--dock)+var(--note,0px)+16px)] z-95 w-[min(392px,calc(100vw-2*var(--gutter)))] outline-none"
          />
        </div>,
        document.body,
      )}
    </Radix.Provider>
  );
}

type ToastProps = { toast: ToastContent; viewport: RefObject<HTMLElement | null> };

function Toast({ toast, viewport }: ToastProps) {
  useEffect(() => {
    if (viewport.current) return watchToastPlace(viewport.current);
  }, [viewport]);
  useUndoKey(toast);
  const isDestructive = toast.variant === 'destructive';
  return (
    <Radix.Root
      open={toast.open}
      duration={toast.displayMs}
      onPause={pauseToast}
      onResume={resumeToast}
      onEscapeKeyDown={(event) => {
        // A toast that opened last would take the key from the dialog that the user sees as open.
        const isInside = event.target instanceof Node && viewport.current?.contains(event.target);
        if (!isInside && closeTopOverlay()) event.preventDefault();
      }}
      onOpenChange={(open) => open || dismissToast(toast.id)}
      type={isDestructive ? 'foreground' : 'background'}
      className="flex items-start gap-3 rounded-panel bg-overlay py-2 pr-2 pl-4 shadow-overlay ring-1 ring-line data-[state=closed]:animate-fade-out data-[state=open]:animate-rise-in data-[swipe=cancel]:translate-x-0 data-[swipe=cancel]:transition-transform data-[swipe=end]:animate-to-right data-[swipe=move]:translate-x-(--radix-toast-swipe-move-x)"
    >
      {isDestructive && <CircleAlert className="mt-3 size-5 shrink-0 text-danger md:mt-2.5" />}
      <div
        className={`min-w-0 flex-1 pt-3 md:pt-2.5 ${toast.action ? 'md:pb-1' : 'pb-3 md:pb-2.5'}`}
      >
        <Radix.Title className="font-semibold">{toast.title}</Radix.Title>
        {toast.description && (
          <Radix.Description className="break-words text-text-2">
            {toast.description}
          </Radix.Description>
        )}
        {toast.action && (
          <Radix.Action
            altText={toast.action.label}
            {...(toast.undo && { 'aria-keyshortcuts': 'Control+Z Meta+Z' })}
            onClick={() => runToastAction(toast)}
            className="inline-flex min-h-11 min-w-11 items-center font-semibold underline underline-offset-4 md:min-h-8"
          >
            {toast.action.label}
          </Radix.Action>
        )}
      </div>
      <Radix.Close asChild>
        <IconButton label="Close">
          <X />
        </IconButton>
      </Radix.Close>
    </Radix.Root>
  );
}

const TEXT_FIELDS = 'input, textarea, [contenteditable]:not([contenteditable=false])';

/** The keyboard can't reach a toast while a dialog holds the focus, so the usual key undoes, too. */
function useUndoKey(toast: ToastContent): void {
  useEffect(() => {
    if (!toast.undo || !toast.open) return;
    const onKeyDown = (event: KeyboardEvent) => {
      const isUndo = (event.ctrlKey || event.metaKey) && !event.shiftKey && event.key === 'z';
      if (!isUndo || (event.target instanceof Element && event.target.closest(TEXT_FIELDS))) return;
      event.preventDefault();
      runToastAction(toast);
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [toast]);
}

import { Suspense, useEffect } from 'react';
import { useStore } from '#web/lib/store/store.ts';
import { toastStore, type Toast } from '#web/lib/store/toasts.ts';
import { ErrorBoundary } from '../ui/error-boundary.tsx';
import { reloadableLazy } from '../lib/schedule/lazy-component.ts';

const lazily = reloadableLazy(() => import('#web/ui/overlays/toast.tsx'), 'Toaster');

/** Loads the toast code with the first press or key, while the network is still there. */
function usePrefetchOnFirstInput(): void {
  useEffect(() => {
    // What was pressed reacts first.
    const prefetch = () => setTimeout(lazily.prefetch);
    for (const event of ['pointerdown', 'keydown'])
      window.addEventListener(event, prefetch, { passive: true, once: true });
  }, []);
}

export function ToastHost() {
  usePrefetchOnFirstInput();
  const toast = useStore(toastStore);
  if (!toast) return null;
  return (
    <ErrorBoundary
      resetKey={String(toast.id)}
      fallback={<PlainToast toast={toast} />}
      onError={() => lazily.reload()}
    >
      <Suspense fallback={null}>
        <lazily.Part toast={toast} />
      </Suspense>
    </ErrorBoundary>
  );
}

/** The plain text, for when the toast code failed to load. */
function PlainToast({ toast }: { toast: Toast }) {
  if (!toast.open) return null;
  return (
    <p
      role="alert"
      className="fixed right-gutter bottom-[calc(var(--dock)+var(--note,0px)+16px)] z-95 rounded-panel bg-overlay px-4 py-3 shadow-overlay"
    >
      <b className="font-semibold">{toast.title}</b> {toast.description}
    </p>
  );
}

import { Suspense, useEffect } from 'react';
import { useStore } from '#web/lib/store.ts';
import { dismissToast, toastStore, type Toast } from '#web/lib/toasts.ts';
import { ErrorBoundary } from '../ui/error-boundary.tsx';
import { reloadableLazy } from '../lib/reloadable-lazy.ts';

const lazily = reloadableLazy(() => import('#web/ui/overlays/toast.tsx').then((module) => module.Toaster));

/** Toasts answer what people do: with their first act the code is fetched, while the network is there. */
function usePrefetchOnFirstAct(): void {
  useEffect(() => {
    const acts = ['pointerdown', 'keydown'];
    const prefetch = () => {
      for (const act of acts) window.removeEventListener(act, prefetch);
      lazily.prefetch();
    };
    for (const act of acts) window.addEventListener(act, prefetch, { passive: true });
    return () => {
      for (const act of acts) window.removeEventListener(act, prefetch);
    };
  }, []);
}

export function ToastHost() {
  usePrefetchOnFirstAct();
  const toast = useStore(toastStore);
  if (!toast) return null;
  return (
    <ErrorBoundary
      resetKey={String(toast.id)}
      fallback={<PlainToast toast={toast} />}
      onError={() => lazily.reload()}
    >
      <Suspense fallback={null}>
        <lazily.Part toast={toast} onOpenChange={(open) => open || dismissToast(toast.id)} />
      </Suspense>
    </ErrorBoundary>
  );
}

/** The words without the manners, where the code for those did not arrive. */
function PlainToast({ toast }: { toast: Toast }) {
  if (!toast.open) return null;
  return (
    <p
      role="alert"
      className="fixed right-gutter bottom-[calc(var(--dock)+16px)] z-95 rounded-panel bg-overlay px-4 py-3 shadow-overlay"
    >
      <b className="font-semibold">{toast.title}</b> {toast.description}
    </p>
  );
}

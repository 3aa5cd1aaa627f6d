import { Suspense, useEffect } from 'react';
import { useStore } from '#web/lib/store.ts';
import { dismissToast, toastStore, type Toast } from '#web/lib/toasts.ts';
import { ErrorBoundary } from './error-boundary.tsx';
import { reloadableLazy } from './reloadable-lazy.ts';

const lazily = reloadableLazy(() => import('#web/ui/toast.tsx').then((module) => module.Toaster));

/** The first toast often says that the network is gone: its code has to be there by then. */
function usePrefetchWhenIdle(): void {
  useEffect(() => {
    const whenIdle = window.requestIdleCallback ?? ((task: () => void) => setTimeout(task, 2000));
    whenIdle(lazily.prefetch);
  }, []);
}

export function ToastHost() {
  usePrefetchWhenIdle();
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

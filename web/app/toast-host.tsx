import { lazy, Suspense } from 'react';
import { useStore } from '#web/lib/store.ts';
import { dismissToast, toastStore } from '#web/lib/toasts.ts';

const Toaster = lazy(() =>
  import('#web/ui/toast.tsx').then((module) => ({ default: module.Toaster })),
);

/** The toast's code arrives with the first toast. */
export function ToastHost() {
  const toast = useStore(toastStore);
  if (!toast) return null;
  return (
    <Suspense fallback={null}>
      <Toaster toast={toast} onOpenChange={(open) => open || dismissToast(toast.id)} />
    </Suspense>
  );
}

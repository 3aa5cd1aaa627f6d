import { describeFailure } from './api.ts';
import { createStore } from './store.ts';

export const TOAST_REMOVE_DELAY_MS = 1_000_000;

export type Toast = {
  id: number;
  title: string;
  description?: string;
  variant: 'default' | 'destructive';
  open: boolean;
  /** One action, such as Undo. */
  action?: { label: string; onSelect: () => void };
  /** Stays until the user closes it or another toast replaces it. */
  isPersistent?: boolean;
};

/** One toast at a time: a newer one replaces it. */
export const toastStore = createStore<Toast | null>(null);

let lastId = 0;
let removal: ReturnType<typeof setTimeout> | undefined;

export function showToast(toast: Pick<Toast, 'title'> & Partial<Omit<Toast, 'id' | 'open'>>): void {
  clearTimeout(removal);
  toastStore.set({ variant: 'default', ...toast, id: ++lastId, open: true });
}

/** Shows why something failed: the server's message, or `failed` when it has none. */
export const showErrorToast = (error: unknown, failed: string, title = 'Error'): void =>
  showToast({ title, description: describeFailure(error, failed), variant: 'destructive' });

/** A dismissed toast stays mounted, so that it can animate out. */
export function dismissToast(id: number): void {
  const toast = toastStore.get();
  if (toast?.id !== id || !toast.open) return;
  toastStore.set({ ...toast, open: false });
  removal = setTimeout(() => {
    if (toastStore.get()?.id === id) toastStore.set(null);
  }, TOAST_REMOVE_DELAY_MS);
}

import { createStore } from './store.ts';

export const TOAST_REMOVE_DELAY_MS = 1_000_000;

export type Toast = {
  id: number;
  title: string;
  description?: string;
  variant: 'default' | 'destructive';
  open: boolean;
  /** One way on or back, such as undo. */
  action?: { label: string; onSelect: () => void };
  /** It stays until it is answered or another one comes. */
  isLasting?: boolean;
};

/** One toast at a time: a newer one takes the place of the older. */
export const toastStore = createStore<Toast | null>(null);

let lastId = 0;
let removal: ReturnType<typeof setTimeout> | undefined;

export function showToast(toast: Pick<Toast, 'title'> & Partial<Omit<Toast, 'id' | 'open'>>): void {
  clearTimeout(removal);
  toastStore.set({ variant: 'default', ...toast, id: ++lastId, open: true });
}

/** A dismissed toast stays mounted, so that it can leave the screen in its own time. */
export function dismissToast(id: number): void {
  const toast = toastStore.get();
  if (toast?.id !== id || !toast.open) return;
  toastStore.set({ ...toast, open: false });
  removal = setTimeout(() => {
    if (toastStore.get()?.id === id) toastStore.set(null);
  }, TOAST_REMOVE_DELAY_MS);
}

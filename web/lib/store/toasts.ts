import { describeFailure } from '#web/lib/api/api.ts';
import { createStore } from './store.ts';

export type Undo = {
  run: () => unknown;
  /** On its button instead of “Undo”. */
  label?: string;
  /** What several of them are called: “mixes removed”. */
  plural?: string;
  /** For `withdrawUndo`. */
  key?: string;
};

export type ToastInput = {
  title: string;
  description?: string;
  variant?: 'default' | 'destructive';
  /** One action, such as Reload. */
  action?: { label: string; onSelect: () => void };
  /** Takes back what the toast reports. It is never lost to the next toast. */
  undo?: Undo;
  /** Stays until the user closes it, and comes back after other toasts. */
  isPersistent?: boolean;
  /** Waits for a short toast, and comes back after one. Use it for what nobody asked for. */
  canWait?: boolean;
};

export type Toast = ToastInput & {
  id: number;
  variant: 'default' | 'destructive';
  open: boolean;
  displayMs: number;
};

/** The toast that shows, or that has just closed. */
export const toastStore = createStore<Toast | null>(null);

/** Loads with the first toast, which the first page doesn't have. */
const loadQueue = () => import('./toast-queue.ts');

export function showToast(input: ToastInput): void {
  loadQueue().then(
    (queue) => queue.addToast(input),
    // Without the network: only its text.
    () => toastStore.set({ variant: 'default', ...input, id: 0, open: true, displayMs: Infinity }),
  );
}

/** Shows why something failed: the server's message, or `failed` when it has none. */
export const showErrorToast = (error: unknown, failed: string, title = 'Error'): void =>
  showToast({ title, description: describeFailure(error, failed), variant: 'destructive' });

/** Call it when the user has already undone, in another way, what has this key. */
export const withdrawUndo = (key: string): void =>
  void loadQueue().then(
    (queue) => queue.dropUndo(key),
    () => undefined,
  );

/** The title of the toast for a saved mix. It has the reason, so no other failure replaces it. */
export const CANNOT_PLAY = 'Can’t play this mix right now';

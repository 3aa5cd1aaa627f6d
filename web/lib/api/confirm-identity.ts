import { ApiError } from './api.ts';
import { createStore } from '#web/lib/store/store.ts';

/** The question for the password, while it shows. */
export const confirmationStore = createStore<{ answer: (isConfirmed: boolean) => void } | null>(
  null,
);

const askForPassword = (): Promise<boolean> =>
  new Promise((resolve) => {
    confirmationStore.get()?.answer(false);
    confirmationStore.set({
      answer: (isConfirmed) => {
        confirmationStore.set(null);
        resolve(isConfirmed);
      },
    });
  });

/** Calls the server. If it wants the password again, asks the user for it, and then repeats the call. */
export async function withConfirmation<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    const isNeeded = error instanceof ApiError && error.code === 'confirmation_required';
    if (!isNeeded || !(await askForPassword())) throw error;
    return run();
  }
}

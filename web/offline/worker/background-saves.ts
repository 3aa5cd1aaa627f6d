import { NEW_MIXES_TAG, SAVES_TAG } from '#web/offline/store/run-saves.ts';
import { saveWithoutPage } from './save-without-page.ts';

declare const self: ServiceWorkerGlobalScope;

/** An open page does the same and shows it, so the worker leaves it to that. */
const saveUnlessAPageDoes = (looksForNew: boolean, onSaved: () => void): Promise<void> =>
  navigator.locks.request('saves', { ifAvailable: true }, async (lock) => {
    if (lock) await saveWithoutPage(looksForNew, onSaved);
  });

/** Not every browser has these events, so the worker types don’t either. */
type SyncEvent = ExtendableEvent & { readonly tag: string };

export function saveInBackground(onSaved: () => void): void {
  const listen = (type: 'sync' | 'periodicsync', tag: string) =>
    self.addEventListener(type as 'activate', (event) => {
      if ((event as SyncEvent).tag === tag)
        event.waitUntil(saveUnlessAPageDoes(tag === NEW_MIXES_TAG, onSaved));
    });
  listen('sync', SAVES_TAG);
  listen('periodicsync', NEW_MIXES_TAG);
}

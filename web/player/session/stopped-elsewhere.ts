import { createStore } from '#web/lib/store/store.ts';

/** Why playback stopped: the account listens on too many other devices. Null while it didn’t. */
export const stoppedElsewhere = createStore<string | null>(null);

import { useSyncExternalStore } from 'react';

/** It never changes while a page is open. */
const watchNothing = () => () => undefined;

/** Something about this browser, which the server that renders the page can only suppose. */
export const useBrowserFact = <T extends string | boolean>(find: () => T, supposed: T): T =>
  useSyncExternalStore(watchNothing, find, () => supposed);

export const usePasskeySupport = (): boolean =>
  useBrowserFact(() => 'PublicKeyCredential' in window, true);

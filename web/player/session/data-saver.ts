import { PLAYER_KEY, tryOrUndefined, type KeyValueStorage } from './persistence.ts';

/** On this device. `auto`: on mobile data or a slow connection, or when the browser asks for less data. */
export type DataSaverChoice = 'auto' | 'always' | 'never';

export const DATA_SAVER_KEY = 'data-saver';

/** What is stored; nothing is `auto`. Earlier versions had a switch, saved with the visit. */
export const readDataSaverChoice = (storage: KeyValueStorage | null): unknown =>
  tryOrUndefined(
    () =>
      storage?.getItem(DATA_SAVER_KEY) ??
      (storage?.getItem(PLAYER_KEY)?.includes('"isDataSaver":true') && 'always'),
  );

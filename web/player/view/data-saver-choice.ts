import { createStore } from '#web/lib/store/store.ts';
import type { Player } from '#web/player/create-player.ts';
import {
  DATA_SAVER_KEY,
  readDataSaverChoice,
  type DataSaverChoice,
} from '#web/player/session/data-saver.ts';
import { tryOrUndefined } from '#web/player/session/persistence.ts';

export const DATA_SAVER_CHOICES: readonly { value: DataSaverChoice; label: string }[] = [
  { value: 'auto', label: 'Automatic' },
  { value: 'always', label: 'Always' },
  { value: 'never', label: 'Never' },
];

/** A page from the server doesn’t know it yet. */
export const dataSaverChoice = createStore<DataSaverChoice>('auto');
const storage = tryOrUndefined(() => window.localStorage) ?? null;
const stored = readDataSaverChoice(storage);
if (stored === 'always' || stored === 'never') dataSaverChoice.set(stored);

export function chooseDataSaver(player: Player, choice: DataSaverChoice): void {
  tryOrUndefined(() => storage?.setItem(DATA_SAVER_KEY, choice));
  dataSaverChoice.set(choice);
  player.updateDataSaver(choice);
}

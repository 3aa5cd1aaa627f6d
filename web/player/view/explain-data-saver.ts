import {
  shouldSaveData,
  type Connection,
  type DeviceNavigator,
} from '#contract/rules/connection.ts';
import { showToast } from '#web/lib/store/toasts.ts';
import { chooseDataSaver, dataSaverChoice } from './data-saver-choice.ts';
import type { Player } from '#web/player/create-player.ts';

const SAID_KEY = 'data-saver-said';

function describeReason({ type, saveData }: Connection): string {
  if (type === 'cellular') return 'We’re using data saver on mobile data';
  return saveData
    ? 'We’re using data saver because your browser asks for less data'
    : 'We’re using data saver on a slow connection';
}

/** True the first time on this device. Without storage nobody knows, so it isn’t said. */
function isFirstTime(): boolean {
  try {
    if (localStorage.getItem(SAID_KEY) !== null) return false;
    localStorage.setItem(SAID_KEY, '1');
    return true;
  } catch {
    return false;
  }
}

/** Says once that data saver turned itself on, when a small file plays because of that. */
export function explainDataSaver(player: Player): void {
  const { currentTrack, isDataSaver } = player.store.get();
  const { connection } = navigator as DeviceNavigator;
  if (!isDataSaver || dataSaverChoice.get() !== 'auto') return;
  if (!connection || !shouldSaveData(connection)) return;
  if (!currentTrack?.dataSaverUrl || !isFirstTime()) return;
  showToast({
    title: describeReason(connection),
    description: 'You can change that in Settings.',
    action: {
      label: 'Use best quality',
      onSelect: () => {
        chooseDataSaver(player, 'never');
        showToast({ title: 'Best quality from the next mix' });
      },
    },
    canWait: true,
  });
}

import { dayOf } from '#contract/rules/days.ts';
import { checkLease } from '#contract/rules/lease.ts';
import { type DeviceNavigator, readMetering } from '#contract/rules/connection.ts';
import { loadAccount } from '#web/offline/store/account.ts';
import { countSavedData } from '#web/offline/store/data-use.ts';
import { isRetried, maySave, queueNewMixes, runSaves } from '#web/offline/store/run-saves.ts';
import { readSaveQueue, type QueuedSave } from '#web/offline/store/save-queue.ts';

const readLine = () => readMetering(navigator);

async function estimateFreeBytes(): Promise<number | null> {
  const { quota, usage } = await navigator.storage.estimate();
  return quota === undefined || usage === undefined ? null : Math.max(0, quota - usage);
}

/**
 * As a page does it, while none is open. The browser may end it at any time; the next run goes on.
 * Throws if something is to be tried again: then the browser wakes the worker again.
 */
export async function saveWithoutPage(looksForNew: boolean, onSaved: () => void): Promise<void> {
  const account = await loadAccount(caches);
  if (!account?.lease || checkLease(account.lease, Date.now()) !== 'valid') return;
  const { userId } = account;
  const options = { storage: caches, userId };
  if (looksForNew && readLine() === 'unmetered') await queueNewMixes(options);
  const { newMixes } = await readSaveQueue(caches, userId);
  const channel = new BroadcastChannel('saves');
  const data = countSavedData({
    storage: caches,
    findMonth: () => dayOf(Date.now(), newMixes?.timeZone ?? 'UTC').slice(0, 7),
    isUnmetered: () => readLine() === 'unmetered',
  });
  let running: { save: QueuedSave; run: AbortController } | null = null;
  const stopOnMobile = () => {
    if (running && !maySave(running.save, readLine())) running.run.abort();
  };
  const { connection } = navigator as DeviceNavigator;
  connection?.addEventListener?.('change', stopOnMobile);
  let mustRetry = false;
  try {
    await runSaves({
      ...options,
      now: Date.now,
      readMetering: readLine,
      estimateFreeBytes,
      startSave(started) {
        running = { save: started, run: new AbortController() };
        return running.run.signal;
      },
      onProgress: ({ trackId }, done, size) => channel.postMessage({ trackId, done, size }),
      onEnd(_save, end) {
        if (end === 'saved') onSaved();
        mustRetry ||= isRetried(end) || end === 'stopped';
        channel.postMessage('changed');
      },
      onLoaded: data.add,
    });
  } finally {
    connection?.removeEventListener?.('change', stopOnMobile);
    channel.close();
    await data.write();
  }
  if (mustRetry) throw new Error('Saving mixes has to wait.');
}

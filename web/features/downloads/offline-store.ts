import { useEffect } from 'react';
import {
  type DeviceNavigator,
  findMetering,
  isPhone,
  readMetering,
} from '#contract/rules/connection.ts';
import { isSmallFile } from '#contract/rules/pick-file.ts';
import { DAY, HOUR, MINUTE } from '#contract/rules/time.ts';
import type { TrackDetail } from '#contract/tracks.ts';
import { call } from '#web/lib/api/api.ts';
import { boot, readOffers } from '#web/lib/store/boot.ts';
import { createStore, useStore } from '#web/lib/store/store.ts';
import { showToast } from '#web/lib/store/toasts.ts';
import { loadAccount } from '#web/offline/store/account.ts';
import { countSavedData } from '#web/offline/store/data-use.ts';
import {
  findSaveFile,
  isRetried,
  maySave,
  NEW_MIXES_TAG,
  queueNewMixes,
  runSaves,
  SAVES_TAG,
  type SaveEnd,
} from '#web/offline/store/run-saves.ts';
import { takeRemoved } from '#web/offline/store/refused-saves.ts';
import { countSavedBytes } from '#web/offline/store/save-file.ts';
import {
  addSave,
  changeSave,
  changeSaveQueue,
  readSaveQueue,
  removeSave,
  type QueuedSave,
  type SaveQueue,
} from '#web/offline/store/save-queue.ts';
import {
  findSavedFile,
  listSavedFiles,
  savedCacheName,
  type SavedFile,
} from '#web/offline/store/saved-file.ts';
import { dataSaverChoice } from '#web/player/view/data-saver-choice.ts';
import { monthOf } from '#web/player/view/month.ts';

/** `waiting`: for its turn or the connection; `wifi`: for Wi-Fi; `room`: for room on the device. */
type SaveStage = 'running' | 'waiting' | 'wifi' | 'room' | 'paused';

/** A track that is being saved, or that is partly saved. */
export type SaveProgress = { title: string; done: number; size: number; stage: SaveStage };

export type OfflineState = {
  /** Completely saved tracks, newest first; null until they are loaded. */
  saved: readonly SavedFile[] | null;
  saving: Readonly<Record<string, SaveProgress>>;
  /** Null if the browser does not say. */
  freeBytes: number | null;
  /** New mixes are saved by themselves; null until that is loaded. */
  savesNewMixes: boolean | null;
};

const offlineStore = createStore<OfflineState>({
  saved: null,
  saving: {},
  freeBytes: null,
  savesNewMixes: null,
});

const patch = (change: Partial<OfflineState>) =>
  offlineStore.set({ ...offlineStore.get(), ...change });

const setSaving = (trackId: string, progress: SaveProgress) =>
  patch({ saving: { ...offlineStore.get().saving, [trackId]: progress } });

export const canSaveOffline = (): boolean => 'serviceWorker' in navigator && 'caches' in window;

const readLine = () => readMetering(navigator);

async function estimateFreeBytes(): Promise<number | null> {
  const { quota, usage } = (await navigator.storage?.estimate?.()) ?? {};
  return quota === undefined || usage === undefined ? null : Math.max(0, quota - usage);
}

/** What this tab saves now. */
let running: { save: QueuedSave; run: AbortController } | null = null;
/** Those that found no room. */
const withoutRoom = new Set<string>();

function findStage(save: QueuedSave | undefined, trackId: string): SaveStage {
  if (running?.save.trackId === trackId) return 'running';
  if (!save || save.isPaused) return 'paused';
  if (withoutRoom.has(trackId)) return 'room';
  return maySave(save, readLine()) ? 'waiting' : 'wifi';
}

/** Somebody paused or removed it, perhaps in another tab, or this is mobile data now. */
function stopUnwanted({ saves }: SaveQueue): void {
  const save = saves.find(({ trackId }) => trackId === running?.save.trackId);
  if (!running || (save && maySave(save, readLine()))) return;
  running.run.abort();
  running = null;
}

/** Runs at the start and after every change. */
async function loadSavedFiles(userId: string): Promise<void> {
  if (!canSaveOffline()) return patch({ saved: [], savesNewMixes: false });
  const [all, queue] = [await listSavedFiles(caches, userId), await readSaveQueue(caches, userId)];
  stopUnwanted(queue);
  const saving: Record<string, SaveProgress> = {};
  for (const save of queue.saves) {
    const { trackId, title } = save;
    const before = offlineStore.get().saving[trackId];
    const { done, size } = before ?? { done: 0, size: 0 };
    saving[trackId] = { title, done, size, stage: findStage(save, trackId) };
  }
  for (const record of all.filter(({ isComplete }) => !isComplete)) {
    const { size, track } = record;
    const found = await findSavedFile(caches, userId, track.id);
    const done = found ? await countSavedBytes(found.cache, record) : 0;
    const save = queue.saves.find(({ trackId }) => trackId === track.id);
    saving[track.id] = { title: track.title, done, size, stage: findStage(save, track.id) };
  }
  patch({
    saved: all.filter(({ isComplete }) => isComplete),
    saving,
    freeBytes: await estimateFreeBytes(),
    savesNewMixes: queue.newMixes !== null,
  });
  navigator.serviceWorker.controller?.postMessage({ type: 'SAVED_FILES_CHANGED' });
}

type Message = { trackId: string; done: number; size: number } | 'changed';
const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('saves');

/** Here, and in the other tabs. */
async function showChange(userId: string): Promise<void> {
  channel?.postMessage('changed' satisfies Message);
  await loadSavedFiles(userId);
}

type Problem = Exclude<SaveEnd, 'saved' | 'stopped'>;

const PROBLEMS: Record<Problem, string> = {
  'no-room': 'This browser is out of space. Remove a saved mix and try again.',
  refused: 'Offline listening is a Premium feature.',
  off: 'This mix can only be streamed.',
  gone: 'This mix has been taken down.',
  elsewhere: 'You’re listening on another device. Saving goes on by itself when you stop there.',
  interrupted: 'Connection lost. Saving goes on by itself once you’re back online.',
};

/** Why saving waits, as far as it was said: once, not with every try. */
const said = new Set<Problem>();

function showProblem(end: Problem): void {
  if (isRetried(end)) {
    if (said.has(end)) return;
    said.add(end);
  }
  const title = isRetried(end) ? 'Not saved yet' : 'Not saved offline';
  showToast({ title, description: PROBLEMS[end], variant: 'destructive' });
}

const RETRY_MS = MINUTE;
let retry: ReturnType<typeof setTimeout> | undefined;

function continueLater(userId: string): void {
  clearTimeout(retry);
  retry = setTimeout(() => continueSaves(userId), RETRY_MS);
}

async function run(userId: string): Promise<void> {
  const { saves, newMixes } = await readSaveQueue(caches, userId);
  if (!navigator.onLine || (saves.length === 0 && !newMixes)) return;
  // The service worker sees the response and learns who may play the track, and until when.
  const { id, offlineUntil } = await call('GET /api/auth/me');
  if (id !== userId) return;
  if (offlineUntil === null) {
    await changeSaveQueue(caches, userId, () => ({ saves: [] }));
    if (saves.some(({ isAutomatic }) => !isAutomatic))
      showProblem(readOffers().saving ? 'refused' : 'off');
    return;
  }
  if (newMixes && readLine() === 'unmetered') {
    await queueNewMixes({ storage: caches, userId });
    await showChange(userId);
  }
  const data = countSavedData({
    storage: caches,
    findMonth: () => monthOf(Date.now()),
    isUnmetered: () => readLine() === 'unmetered',
  });
  withoutRoom.clear();
  try {
    await runSaves({
      storage: caches,
      userId,
      now: Date.now,
      readMetering: readLine,
      estimateFreeBytes,
      startSave(save) {
        running = { save, run: new AbortController() };
        return running.run.signal;
      },
      onProgress({ trackId, title }, done, size) {
        setSaving(trackId, { title, done, size, stage: 'running' });
        channel?.postMessage({ trackId, done, size } satisfies Message);
      },
      onEnd(save, end) {
        running = null;
        if (end === 'no-room') withoutRoom.add(save.trackId);
        if (end === 'saved') {
          said.clear();
          showToast({ title: 'Saved offline', description: save.title, canWait: true });
        }
        // What nobody asked for just waits.
        else if (end !== 'stopped' && !save.isAutomatic) showProblem(end);
        if (isRetried(end)) continueLater(userId);
        void showChange(userId);
      },
      onLoaded: data.add,
    });
  } finally {
    running = null;
    await data.write();
  }
}

let isWaiting = false;
let last: Promise<unknown> = Promise.resolve();

/** One tab saves at a time; the others wait, and go on if it is closed. */
function continueSaves(userId: string): void {
  if (isWaiting) return;
  isWaiting = true;
  const start = async () => {
    isWaiting = false;
    await run(userId);
  };
  const begin = () => ('locks' in navigator ? navigator.locks.request('saves', start) : start());
  last = last
    .then(begin)
    .then(() => loadSavedFiles(userId))
    .catch((error: unknown) => {
      console.warn('Saving mixes has to wait.', error);
      isWaiting = false;
      continueLater(userId);
    });
}

/** Not every browser has these, so the DOM types don’t either. */
type SyncRegistration = ServiceWorkerRegistration & {
  sync?: { register(tag: string): Promise<void> };
  periodicSync?: {
    register(tag: string, options: { minInterval: number }): Promise<void>;
    unregister(tag: string): Promise<void>;
  };
};

let watched: string | null = null;

/** Goes on whenever that may be possible again: with the connection, and when somebody comes back. */
function watchLine(userId: string): void {
  const isNew = watched === null;
  watched = userId;
  if (!isNew) return;
  const goOn = () => {
    if (watched !== null) continueSaves(watched);
  };
  window.addEventListener('online', goOn);
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') goOn();
  });
  const { connection } = navigator as DeviceNavigator;
  connection?.addEventListener?.('change', () => {
    if (watched !== null) void loadSavedFiles(watched);
    goOn();
  });
  channel?.addEventListener('message', ({ data }: MessageEvent<Message>) => {
    if (data === 'changed') {
      if (watched !== null) void loadSavedFiles(watched);
      return;
    }
    const { trackId, ...progress } = data;
    const before = offlineStore.get().saving[trackId];
    if (before) setSaving(trackId, { ...before, ...progress, stage: 'running' });
  });
}

const readRegistration = (): Promise<SyncRegistration> => navigator.serviceWorker.ready;

/** The worker goes on when the connection returns, even if the page is closed by then. */
const askForSync = () =>
  readRegistration()
    .then(({ sync }) => sync?.register(SAVES_TAG))
    // The page itself goes on.
    .catch(() => undefined);

async function changeQueue(
  userId: string,
  change: Parameters<typeof changeSaveQueue>[2],
): Promise<void> {
  await changeSaveQueue(caches, userId, change);
  said.clear();
  watchLine(userId);
  await showChange(userId);
  continueSaves(userId);
  void askForSync();
}

/** The worker removes what the site doesn't let members keep any more. */
async function sayRemoved(): Promise<void> {
  if (!(await takeRemoved(caches))) return;
  showToast({
    title: 'Saved mixes were removed',
    description: 'They can’t be kept any more. Those that are still out play while you’re online.',
    isPersistent: true,
  });
}

/** A page of this account has opened: goes on with what an earlier one left. */
export async function continueSavesAtStart(): Promise<void> {
  await sayRemoved();
  const account = await loadAccount(caches);
  if (!account?.lease) return;
  watchLine(account.userId);
  continueSaves(account.userId);
}

type SaveTrackRequest = { userId: string; track: TrackDetail; isDataSaver: boolean };

export async function saveTrack({ userId, track, isDataSaver }: SaveTrackRequest): Promise<void> {
  const { id: trackId, title } = track;
  // Asks the browser not to evict saved tracks when it needs space.
  void navigator.storage?.persist?.().catch(() => false);
  // Whoever asks for it on mobile data has seen what it costs.
  const mayUseMobile = readLine() !== 'unmetered';
  const save = { trackId, title, isDataSaver, mayUseMobile, isPaused: false, isAutomatic: false };
  const { size } = findSaveFile(track, isDataSaver);
  setSaving(trackId, { title, done: 0, size, stage: 'waiting' });
  await changeQueue(userId, addSave(save));
}

/** What is saved so far stays, for later. */
export const pauseSaving = (userId: string, trackId: string): Promise<void> =>
  changeQueue(userId, changeSave(trackId, { isPaused: true }));

/** Goes on at once, on any line. */
export async function resumeSaving(userId: string, trackId: string): Promise<void> {
  const { record } = (await findSavedFile(caches, userId, trackId)) ?? {};
  const { title } = offlineStore.get().saving[trackId] ?? { title: '' };
  await changeQueue(userId, (queue) => {
    const known = queue.saves.find((save) => save.trackId === trackId);
    const isDataSaver = known?.isDataSaver ?? isSmallFile(record?.fileUrl ?? '');
    const asked = { mayUseMobile: true, isPaused: false, isAutomatic: false };
    return addSave({ trackId, title, isDataSaver, ...asked })(queue);
  });
}

export async function removeSavedTrack(userId: string, trackId: string): Promise<void> {
  await changeQueue(userId, removeSave(trackId));
  await caches.delete(savedCacheName(userId, trackId));
  await showChange(userId);
}

const WEEK_MS = 7 * DAY;
const LOOK_EVERY_MS = 12 * HOUR;

/** From this week’s mix on, or no longer. */
export async function saveNewMixes(userId: string, isOn: boolean): Promise<void> {
  const since = Date.now() - WEEK_MS;
  const isDataSaver = dataSaverChoice.get() === 'always';
  const newMixes = isOn ? { since, isDataSaver, seen: [], timeZone: boot.timeZone } : null;
  await changeQueue(userId, ({ saves }) => ({
    newMixes,
    saves: isOn ? saves : saves.filter(({ isAutomatic }) => !isAutomatic),
  }));
  await readRegistration()
    .then(({ periodicSync }) =>
      isOn
        ? periodicSync?.register(NEW_MIXES_TAG, { minInterval: LOOK_EVERY_MS })
        : periodicSync?.unregister(NEW_MIXES_TAG),
    )
    // Without the permission the page does it.
    .catch(() => undefined);
}

/** When this browser saves new mixes. */
export type NewMixSupport =
  /** Also while the site is closed. */
  | 'background'
  /** The installed app could. */
  | 'installed'
  /** When a page is open. */
  | 'page'
  /** Never: it doesn’t say what it is connected with. */
  | 'unknown-line'
  | 'none';

export async function findNewMixSupport(): Promise<NewMixSupport> {
  if (!canSaveOffline()) return 'none';
  const isPhoneWithoutLine = findMetering({}, isPhone(navigator)) === 'unknown';
  const { connection } = navigator as DeviceNavigator;
  if (isPhoneWithoutLine && connection?.type === undefined) return 'unknown-line';
  if (!('periodicSync' in ServiceWorkerRegistration.prototype)) return 'page';
  const name = 'periodic-background-sync' as PermissionName;
  const { state } = await navigator.permissions.query({ name });
  return state === 'granted' ? 'background' : 'installed';
}

export function useSavedFiles(userId: string | undefined): OfflineState {
  useEffect(() => {
    if (!userId) return;
    watchLine(userId);
    void loadSavedFiles(userId);
  }, [userId]);
  return useStore(offlineStore);
}

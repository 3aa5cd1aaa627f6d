import { useEffect } from 'react';
import type { TrackDetail } from '#contract/tracks.ts';
import { call } from '#web/lib/api/api.ts';
import { createStore, useStore } from '#web/lib/store/store.ts';
import { showToast } from '#web/lib/store/toasts.ts';
import { countSavedBytes, saveFile, SaveRefused } from '#web/offline/store/save-file.ts';
import {
  findSavedFile,
  listSavedFiles,
  savedCacheName,
  type SavedFile,
} from '#web/offline/store/saved-file.ts';

/** A track that is being saved, or that is partly saved. */
export type SaveProgress = { title: string; done: number; size: number; isRunning: boolean };

export type OfflineState = {
  /** Completely saved tracks, newest first; null until they are loaded. */
  saved: readonly SavedFile[] | null;
  saving: Readonly<Record<string, SaveProgress>>;
  /** Null if the browser does not say. */
  freeBytes: number | null;
};

const offlineStore = createStore<OfflineState>({ saved: null, saving: {}, freeBytes: null });

const patch = (change: Partial<OfflineState>) =>
  offlineStore.set({ ...offlineStore.get(), ...change });

function setSaving(trackId: string, progress: SaveProgress | null): void {
  const { [trackId]: _, ...others } = offlineStore.get().saving;
  patch({ saving: progress ? { ...others, [trackId]: progress } : others });
}

export const canSaveOffline = (): boolean => 'serviceWorker' in navigator && 'caches' in window;

async function estimateFreeBytes(): Promise<number | null> {
  const { quota, usage } = (await navigator.storage?.estimate?.()) ?? {};
  return quota === undefined || usage === undefined ? null : Math.max(0, quota - usage);
}

/** Runs at the start and after every change. */
async function loadSavedFiles(userId: string): Promise<void> {
  if (!canSaveOffline()) return patch({ saved: [] });
  const all = await listSavedFiles(caches, userId);
  const partial: Record<string, SaveProgress> = {};
  for (const record of all.filter(({ isComplete }) => !isComplete)) {
    const found = await findSavedFile(caches, userId, record.track.id);
    const done = found ? await countSavedBytes(found.cache, record) : 0;
    const { size, track } = record;
    partial[track.id] = { title: track.title, done, size, isRunning: false };
  }
  const running = Object.entries(offlineStore.get().saving).filter(
    ([, { isRunning }]) => isRunning,
  );
  patch({
    saved: all.filter(({ isComplete }) => isComplete),
    saving: { ...partial, ...Object.fromEntries(running) },
    freeBytes: await estimateFreeBytes(),
  });
  navigator.serviceWorker.controller?.postMessage({ type: 'SAVED_FILES_CHANGED' });
}

const runs = new Map<string, AbortController>();

function describeProblem(error: unknown): string {
  if (error instanceof DOMException && error.name === 'QuotaExceededError')
    return 'This browser is out of space. Remove a saved mix and try again.';
  if (error instanceof SaveRefused && [401, 403].includes(error.status))
    return 'Offline listening is a Premium feature.';
  return 'Connection lost. Resume when you’re back online; nothing downloaded so far is lost.';
}

type SaveTrackRequest = { userId: string; track: TrackDetail; isDataSaver: boolean };

/** The rendition to save: the small one if the data saver is on. */
export function pickFile({ track, isDataSaver }: Omit<SaveTrackRequest, 'userId'>) {
  const isSmall = isDataSaver && track.dataSaverUrl !== null;
  return {
    fileUrl: isSmall ? (track.dataSaverUrl ?? '') : track.fileUrl,
    size: (isSmall ? track.sizes.dataSaver : track.sizes.stream) ?? 0,
  };
}

export async function saveTrack({ userId, track, isDataSaver }: SaveTrackRequest): Promise<void> {
  if (runs.has(track.id)) return;
  const run = new AbortController();
  runs.set(track.id, run);
  const { fileUrl, size } = pickFile({ track, isDataSaver });
  const { title } = track;
  const before = offlineStore.get().saving[track.id]?.done ?? 0;
  setSaving(track.id, { title, done: before, size, isRunning: true });
  try {
    // Asks the browser not to evict saved tracks when it needs space.
    void navigator.storage?.persist?.().catch(() => false);
    // The service worker sees the response and learns who may play the track, and until when.
    const { id, offlineUntil } = await call('GET /api/auth/me');
    if (id !== userId || offlineUntil === null) throw new SaveRefused(403);
    const peaks = await call('GET /api/tracks/:id/peaks', { params: { id: track.id } });
    await saveFile(
      caches,
      { userId, track, peaks, fileUrl, size },
      {
        signal: run.signal,
        now: Date.now(),
        onProgress: (done) => setSaving(track.id, { title, done, size, isRunning: true }),
      },
    );
    showToast({ title: 'Saved offline', description: track.title });
  } catch (error) {
    if (!run.signal.aborted)
      showToast({
        title: 'Not saved offline',
        description: describeProblem(error),
        variant: 'destructive',
      });
  } finally {
    runs.delete(track.id);
    setSaving(track.id, null);
    await loadSavedFiles(userId);
  }
}

/** What is saved so far stays, for later. */
export const pauseSaving = (trackId: string): void => runs.get(trackId)?.abort();

export async function removeSavedTrack(userId: string, trackId: string): Promise<void> {
  runs.get(trackId)?.abort();
  await caches.delete(savedCacheName(userId, trackId));
  setSaving(trackId, null);
  await loadSavedFiles(userId);
}

export function useSavedFiles(userId: string | undefined): OfflineState {
  useEffect(() => {
    if (userId) void loadSavedFiles(userId);
  }, [userId]);
  return useStore(offlineStore);
}

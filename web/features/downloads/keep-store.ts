import type { TrackDetail } from '#contract/tracks.ts';
import { call } from '#web/lib/api.ts';
import { createStore } from '#web/lib/store.ts';
import { showToast } from '#web/lib/toasts.ts';
import { countKeptBytes, keepFile, KeepRefused } from '#web/offline/keep-file.ts';
import { findKept, keptCacheName, listKept, type KeptFile } from '#web/offline/kept-file.ts';

/** A mix on its way into the browser, or one that broke off there. */
export type Keeping = { title: string; done: number; size: number; isRunning: boolean };

export type KeepState = {
  /** Complete ones, the latest first; null until the browser was asked. */
  kept: readonly KeptFile[] | null;
  keeping: Readonly<Record<string, Keeping>>;
  /** Bytes that still fit; null where the browser does not say. */
  room: number | null;
};

export const keepStore = createStore<KeepState>({ kept: null, keeping: {}, room: null });

const patch = (change: Partial<KeepState>) => keepStore.set({ ...keepStore.get(), ...change });

function setKeeping(trackId: string, keeping: Keeping | null): void {
  const { [trackId]: _, ...others } = keepStore.get().keeping;
  patch({ keeping: keeping ? { ...others, [trackId]: keeping } : others });
}

export const canKeep = (): boolean => 'serviceWorker' in navigator && 'caches' in window;

async function readRoom(): Promise<number | null> {
  const { quota, usage } = (await navigator.storage?.estimate?.()) ?? {};
  return quota === undefined || usage === undefined ? null : Math.max(0, quota - usage);
}

/** Looks at what is there: at the start, and after every change. */
export async function loadKept(userId: string): Promise<void> {
  if (!canKeep()) return patch({ kept: [] });
  const all = await listKept(caches, userId);
  const broken: Record<string, Keeping> = {};
  for (const record of all.filter(({ isComplete }) => !isComplete)) {
    const found = await findKept(caches, userId, record.track.id);
    const done = found ? await countKeptBytes(found.cache, record) : 0;
    const { size, track } = record;
    broken[track.id] = { title: track.title, done, size, isRunning: false };
  }
  const running = Object.entries(keepStore.get().keeping).filter(([, { isRunning }]) => isRunning);
  patch({
    kept: all.filter(({ isComplete }) => isComplete),
    keeping: { ...broken, ...Object.fromEntries(running) },
    room: await readRoom(),
  });
  navigator.serviceWorker.controller?.postMessage({ type: 'KEPT_CHANGED' });
}

const runs = new Map<string, AbortController>();

function describeProblem(error: unknown): string {
  if (error instanceof DOMException && error.name === 'QuotaExceededError')
    return 'There is no room left in this browser. Remove a mix that you kept and try again.';
  if (error instanceof KeepRefused && [401, 403].includes(error.status))
    return 'Keeping mixes offline is for Premium subscribers.';
  return 'The connection broke. Go on when it is back: what is there already stays.';
}

type Order = { userId: string; track: TrackDetail; isDataSaver: boolean };

/** Which of its files a listener keeps: the small one for those who save data. */
export function pickKeptFile({ track, isDataSaver }: Omit<Order, 'userId'>) {
  const isSmall = isDataSaver && track.dataSaverUrl !== null;
  return {
    fileUrl: isSmall ? (track.dataSaverUrl ?? '') : track.fileUrl,
    size: (isSmall ? track.sizes.dataSaver : track.sizes.stream) ?? 0,
  };
}

export async function keepTrack({ userId, track, isDataSaver }: Order): Promise<void> {
  if (runs.has(track.id)) return;
  const run = new AbortController();
  runs.set(track.id, run);
  const { fileUrl, size } = pickKeptFile({ track, isDataSaver });
  const { title } = track;
  const before = keepStore.get().keeping[track.id]?.done ?? 0;
  setKeeping(track.id, { title, done: before, size, isRunning: true });
  try {
    // Asked for once and without waiting: the browser then does not tidy up what was kept.
    void navigator.storage?.persist?.().catch(() => false);
    // Through the worker, which learns by it whose mixes these are and until when they play.
    const { id, offlineUntil } = await call('GET /api/auth/me');
    if (id !== userId || offlineUntil === null) throw new KeepRefused(403);
    const peaks = await call('GET /api/tracks/:id/peaks', { params: { id: track.id } });
    await keepFile(
      caches,
      { userId, track, peaks, fileUrl, size },
      {
        signal: run.signal,
        now: Date.now(),
        onProgress: (done) => setKeeping(track.id, { title, done, size, isRunning: true }),
      },
    );
    showToast({ title: 'Kept offline', description: track.title });
  } catch (error) {
    if (!run.signal.aborted)
      showToast({
        title: 'Not kept offline yet',
        description: describeProblem(error),
        variant: 'destructive',
      });
  } finally {
    runs.delete(track.id);
    setKeeping(track.id, null);
    await loadKept(userId);
  }
}

/** What is there already stays, for another time. */
export const pauseKeeping = (trackId: string): void => runs.get(trackId)?.abort();

export async function removeKept(userId: string, trackId: string): Promise<void> {
  runs.get(trackId)?.abort();
  await caches.delete(keptCacheName(userId, trackId));
  setKeeping(trackId, null);
  await loadKept(userId);
}

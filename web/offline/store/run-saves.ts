import type { Metering } from '#contract/rules/connection.ts';
import { pickFile } from '#contract/rules/pick-file.ts';
import type { Peaks, Track, TrackDetail } from '#contract/tracks.ts';
import type { z } from 'zod';
import { countSavedBytes, readRefusal, saveFile, SaveRefused, SaveUnwanted } from './save-file.ts';
import {
  addSave,
  changeSave,
  changeSaveQueue,
  readSaveQueue,
  removeSave,
  type QueuedSave,
} from './save-queue.ts';
import { findSavedFile } from './saved-file.ts';

/** What the worker is woken for: the connection is back, and it is time to look for new mixes. */
export const SAVES_TAG = 'saves';
export const NEW_MIXES_TAG = 'new-mixes';

/** Nobody asked for a new mix, so it leaves this much room for everything else on the device. */
export const ROOM_TO_LEAVE_BYTES = 500_000_000;

export type SaveEnd =
  | 'saved'
  /** The account has no access any more. */
  | 'refused'
  /** The site or the mix may not be saved any more. */
  | 'off'
  /** The mix was taken down. */
  | 'gone'
  | 'no-room'
  /** Somebody paused or removed it, or it may not be saved on this connection. */
  | 'stopped'
  /** It waits while as many other devices play as the account may use. */
  | 'elsewhere'
  /** There is no connection, or the server is away. */
  | 'interrupted';

/** What ended so is tried again later. */
export const isRetried = (end: SaveEnd): end is 'elsewhere' | 'interrupted' =>
  end === 'elsewhere' || end === 'interrupted';

type RunOptions = {
  storage: CacheStorage;
  userId: string;
  fetchFile?: typeof fetch;
  now(): number;
  readMetering(): Metering;
  /** Null if the browser doesn’t say. */
  estimateFreeBytes(): Promise<number | null>;
  /** Ends this save, when it is paused or removed or the connection changes. */
  startSave(save: QueuedSave): AbortSignal;
  onProgress(save: QueuedSave, done: number, size: number): void;
  onEnd(save: QueuedSave, end: SaveEnd): void;
  /** So many bytes were loaded. */
  onLoaded(bytes: number): void;
};

export const maySave = ({ isPaused, mayUseMobile }: QueuedSave, metering: Metering): boolean =>
  !isPaused && (mayUseMobile || metering === 'unmetered');

/** The file to save, and its bytes. */
export function findSaveFile(track: TrackDetail, isDataSaver: boolean) {
  const { name, url } = pickFile(track, isDataSaver);
  return { fileUrl: url, size: track.sizes[name] ?? 0 };
}

class NoRoom extends Error {}

async function fetchJson<T>(path: string, { fetchFile = fetch }: RunOptions): Promise<T> {
  const response = await fetchFile(path, { credentials: 'include' });
  if (!response.ok) throw await readRefusal(response);
  return (await response.json()) as T;
}

async function checkRoom(
  { trackId, isAutomatic }: QueuedSave,
  size: number,
  { storage, userId, estimateFreeBytes }: RunOptions,
): Promise<void> {
  const free = await estimateFreeBytes();
  if (free === null) return;
  const found = await findSavedFile(storage, userId, trackId);
  const done = found ? await countSavedBytes(found.cache, found.record) : 0;
  if (free < size - done + (isAutomatic ? ROOM_TO_LEAVE_BYTES : 0)) throw new NoRoom();
}

async function runSave(save: QueuedSave, signal: AbortSignal, options: RunOptions): Promise<void> {
  const { storage, userId, now, readMetering, onProgress, onLoaded } = options;
  const path = `/api/tracks/${encodeURIComponent(save.trackId)}`;
  const track = await fetchJson<TrackDetail>(path, options);
  if (track.access !== 'full') throw new SaveRefused(403, 'subscribers_only');
  if (track.isSavingOff) throw new SaveRefused(403, 'files_off');
  const file = findSaveFile(track, save.isDataSaver);
  onProgress(save, 0, file.size);
  await checkRoom(save, file.size, options);
  const peaks = await fetchJson<z.infer<typeof Peaks>>(`${path}/peaks`, options);
  await saveFile(
    storage,
    { userId, track, peaks, ...file },
    {
      signal,
      async isWanted() {
        const { saves } = await readSaveQueue(storage, userId);
        return saves.some((each) => each.trackId === save.trackId && maySave(each, readMetering()));
      },
      now: now(),
      ...(options.fetchFile && { fetchFile: options.fetchFile }),
      onProgress: (done) => onProgress(save, done, file.size),
      onLoaded,
    },
  );
}

function describeEnd(error: unknown): SaveEnd {
  if (error instanceof SaveUnwanted) return 'stopped';
  const isFull = error instanceof DOMException && error.name === 'QuotaExceededError';
  if (isFull || error instanceof NoRoom) return 'no-room';
  if (!(error instanceof SaveRefused)) return 'interrupted';
  if (error.status === 404) return 'gone';
  if (error.code === 'files_off') return 'off';
  if (error.code === 'subscribers_only') return 'refused';
  return error.code === 'stream_elsewhere' ? 'elsewhere' : 'interrupted';
}

/**
 * Saves what is queued, one mix after the other, until nothing is left that may be loaded on this connection. What
 * was interrupted stays in the queue and goes on from its last part, after a power cut too.
 */
export async function runSaves(options: RunOptions): Promise<void> {
  const { storage, userId, readMetering, startSave, onEnd } = options;
  const change = (update: Parameters<typeof changeSaveQueue>[2]) =>
    changeSaveQueue(storage, userId, update);
  /** Each is tried once in a run, so that a run ends. */
  const tried = new Set<string>();
  for (;;) {
    const { saves } = await readSaveQueue(storage, userId);
    const save = saves.find((each) => !tried.has(each.trackId) && maySave(each, readMetering()));
    if (!save) return;
    tried.add(save.trackId);
    const signal = startSave(save);
    let end: SaveEnd = 'saved';
    try {
      await runSave(save, signal, options);
    } catch (error) {
      end = signal.aborted ? 'stopped' : describeEnd(error);
    }
    if (end === 'saved' || end === 'refused' || end === 'off' || end === 'gone')
      await change(removeSave(save.trackId));
    else if (end === 'no-room' && !save.isAutomatic)
      await change(changeSave(save.trackId, { isPaused: true }));
    onEnd(save, end);
    if (isRetried(end)) return;
  }
}

const NEWEST = '/api/tracks?limit=4';

/** Queues mixes that came out since the listener asked for it. */
export async function queueNewMixes({
  storage,
  userId,
  fetchFile = fetch,
}: Pick<RunOptions, 'storage' | 'userId' | 'fetchFile'>): Promise<void> {
  const { newMixes } = await readSaveQueue(storage, userId);
  if (!newMixes) return;
  const response = await fetchFile(NEWEST, { credentials: 'include' });
  if (!response.ok) return;
  const { items } = (await response.json()) as { items: Track[] };
  const isNew = ({ id, access, unreleased, publishedAt }: Track) =>
    access === 'full' && !unreleased && publishedAt > newMixes.since && !newMixes.seen.includes(id);
  for (const { id, title } of items.filter(isNew)) {
    // It may be there already, because somebody asked for it.
    const isSaved = (await findSavedFile(storage, userId, id))?.record.isComplete;
    const save = { trackId: id, title, isDataSaver: newMixes.isDataSaver, isPaused: false };
    await changeSaveQueue(storage, userId, (queue) =>
      isSaved || queue.saves.some(({ trackId }) => trackId === id)
        ? {}
        : addSave({ ...save, mayUseMobile: false, isAutomatic: true })(queue),
    );
  }
}

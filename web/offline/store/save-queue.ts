import { QUEUE_URL, STATE_CACHE } from './account.ts';

/** A mix that is to be saved in this browser. It stays in the queue until it is, or somebody removes it. */
export type QueuedSave = {
  trackId: string;
  title: string;
  isDataSaver: boolean;
  isPaused: boolean;
  /** Somebody asked for it on mobile data, or where nobody knows. Others wait for Wi-Fi. */
  mayUseMobile: boolean;
  /** Nobody asked for this one: it leaves room on the device for everything else. */
  isAutomatic: boolean;
};

/** New mixes are saved by themselves. */
type NewMixes = {
  /** Those that came out later. */
  since: number;
  isDataSaver: boolean;
  /** Which were queued already, so that one that somebody removed doesn’t come back. */
  seen: string[];
  /** The site’s, for a worker without a page. */
  timeZone: string;
};

export type SaveQueue = { userId: string; saves: QueuedSave[]; newMixes: NewMixes | null };

const MAX_SEEN = 100;

const isText = (value: unknown): value is string => typeof value === 'string';

function parseSave(value: unknown): QueuedSave[] {
  const { trackId, title, ...flags } = (value ?? {}) as Partial<QueuedSave>;
  if (!isText(trackId) || !isText(title)) return [];
  const { isDataSaver, isPaused, mayUseMobile, isAutomatic } = flags;
  return [
    {
      trackId,
      title,
      isDataSaver: isDataSaver === true,
      isPaused: isPaused === true,
      mayUseMobile: mayUseMobile === true,
      isAutomatic: isAutomatic === true,
    },
  ];
}

function parseNewMixes(value: unknown): NewMixes | null {
  const { since, isDataSaver, seen, timeZone } = (value ?? {}) as Partial<NewMixes>;
  if (typeof since !== 'number' || !Array.isArray(seen) || !isText(timeZone)) return null;
  return { since, isDataSaver: isDataSaver === true, seen: seen.filter(isText), timeZone };
}

/** Empty for another account, and where what is stored is none. */
export async function readSaveQueue(storage: CacheStorage, userId: string): Promise<SaveQueue> {
  const state = await storage.open(STATE_CACHE);
  const stored: unknown = await (await state.match(QUEUE_URL))?.json().catch(() => null);
  const raw = (stored ?? {}) as Partial<Record<keyof SaveQueue, unknown>>;
  if (raw.userId !== userId) return { userId, saves: [], newMixes: null };
  const saves = Array.isArray(raw.saves) ? raw.saves.flatMap(parseSave) : [];
  return { userId, saves, newMixes: parseNewMixes(raw.newMixes) };
}

/** Tabs and the worker change it at the same time. */
const alone = <T>(work: () => Promise<T>): Promise<T> =>
  'locks' in navigator ? navigator.locks.request('save-queue', work) : work();

export const changeSaveQueue = (
  storage: CacheStorage,
  userId: string,
  change: (queue: SaveQueue) => Partial<SaveQueue>,
): Promise<SaveQueue> =>
  alone(async () => {
    const before = await readSaveQueue(storage, userId);
    const after = { ...before, ...change(before) };
    const state = await storage.open(STATE_CACHE);
    // The next page that opens loads the code for it only if there is one.
    if (after.saves.length === 0 && !after.newMixes) await state.delete(QUEUE_URL);
    else await state.put(QUEUE_URL, Response.json(after));
    return after;
  });

/** At the end, unless it is there: then only what is new about it changes. */
export const addSave =
  (save: QueuedSave) =>
  ({ saves }: SaveQueue): Pick<SaveQueue, 'saves'> => ({
    saves: saves.some(({ trackId }) => trackId === save.trackId)
      ? saves.map((each) => (each.trackId === save.trackId ? save : each))
      : [...saves, save],
  });

export const changeSave =
  (trackId: string, change: Partial<QueuedSave>) =>
  ({ saves }: SaveQueue): Pick<SaveQueue, 'saves'> => ({
    saves: saves.map((save) => (save.trackId === trackId ? { ...save, ...change } : save)),
  });

/** It is saved, or nobody wants it any more. */
export const removeSave =
  (removedId: string) =>
  ({ saves, newMixes }: SaveQueue): Pick<SaveQueue, 'saves' | 'newMixes'> => ({
    saves: saves.filter(({ trackId }) => trackId !== removedId),
    newMixes: newMixes && {
      ...newMixes,
      seen: [...newMixes.seen.filter((id) => id !== removedId), removedId].slice(-MAX_SEEN),
    },
  });

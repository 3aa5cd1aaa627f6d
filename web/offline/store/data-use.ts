const DATA_USE_CACHE = 'data-use';
const DATA_USE_URL = '/offline/data-use';

/** Bytes in a month. */
export type DataUse = {
  streamed: number;
  saved: number;
  /** How much of both was on a connection that surely isn’t mobile. */
  unmetered: number;
};

const NOTHING: DataUse = { streamed: 0, saved: 0, unmetered: 0 };

/** More than one, so that a clock that was wrong for a day loses nothing of the month that it left. */
const MAX_MONTHS = 12;

type Months = Record<string, DataUse>;

const isAmount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0;

async function readMonths(cache: Cache): Promise<Months> {
  const stored: unknown = await (await cache.match(DATA_USE_URL))?.json().catch(() => null);
  if (typeof stored !== 'object' || stored === null) return {};
  const valid = Object.entries(stored as Record<string, Partial<DataUse> | null>).filter(
    (entry): entry is [string, DataUse] =>
      isAmount(entry[1]?.streamed) && isAmount(entry[1].saved) && isAmount(entry[1].unmetered),
  );
  return Object.fromEntries(valid);
}

/** Pages and the worker count at the same time. */
const alone = <T>(work: () => Promise<T>): Promise<T> =>
  'locks' in navigator ? navigator.locks.request(DATA_USE_CACHE, work) : work();

type Addition = {
  /** `2026-11`, in the site’s time zone. */
  month: string;
  kind: 'streamed' | 'saved';
  bytes: number;
  isUnmetered: boolean;
};

export const addDataUse = (storage: CacheStorage, { month, kind, bytes, isUnmetered }: Addition) =>
  alone(async () => {
    const cache = await storage.open(DATA_USE_CACHE);
    const months = await readMonths(cache);
    const before = months[month] ?? NOTHING;
    const after: DataUse = {
      ...before,
      [kind]: before[kind] + bytes,
      unmetered: before.unmetered + (isUnmetered ? bytes : 0),
    };
    const entries = Object.entries({ ...months, [month]: after })
      .toSorted(([a], [b]) => (a < b ? 1 : -1))
      // The month that is counted stays, also if a clock was once years ahead.
      .filter(([name], index) => index < MAX_MONTHS || name === month);
    await cache.put(DATA_USE_URL, Response.json(Object.fromEntries(entries)));
  });

/** Often enough that a killed browser loses little of the count. */
const COUNT_BYTES = 2_000_000;

type SaveCount = { storage: CacheStorage; findMonth(): string; isUnmetered(): boolean };

/** Counts what saves load. */
export function countSavedData({ storage, findMonth, isUnmetered }: SaveCount) {
  let pending = { bytes: 0, isUnmetered: false };
  async function write(): Promise<void> {
    if (pending.bytes === 0) return;
    const use = { month: findMonth(), kind: 'saved', ...pending } as const;
    pending = { ...pending, bytes: 0 };
    // Without storage there is nothing to count with.
    await addDataUse(storage, use).catch(() => undefined);
  }
  function add(bytes: number): void {
    const isFree = isUnmetered();
    if (isFree !== pending.isUnmetered) void write();
    pending = { bytes: pending.bytes + bytes, isUnmetered: isFree };
    if (pending.bytes >= COUNT_BYTES) void write();
  }
  return { add, write };
}

/** What this browser has used in a month, on all accounts. */
export async function readDataUse(storage: CacheStorage, month: string): Promise<DataUse> {
  return (await readMonths(await storage.open(DATA_USE_CACHE)))[month] ?? NOTHING;
}

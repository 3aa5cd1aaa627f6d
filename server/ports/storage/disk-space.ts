import { statfs } from 'node:fs/promises';

/** Must stay free for the database and everything else on the disk. */
export const RESERVE_BYTES = 256 * 1024 ** 2;

export type DiskSpace = { free: number; size: number };
export type ReadDiskSpace = (folder: string) => Promise<DiskSpace>;

/** What the site may still use, of all that the disk has. */
export async function readDiskSpace(folder: string): Promise<DiskSpace> {
  const { bavail, blocks, bsize } = await statfs(folder);
  return { free: bavail * bsize, size: blocks * bsize };
}

export const readFreeBytes = async (folder: string): Promise<number> =>
  (await readDiskSpace(folder)).free;

/** Before uploads and everything else that matters need the reserve. */
const OPTIONAL_RESERVE_BYTES = 2 * RESERVE_BYTES;

/** Long enough that a flood doesn't ask the disk for each request, too short to fill it. */
const KNOWN_FOR_MS = 5000;

type Site = {
  config: { dataDir: string };
  database: { dialect: 'sqlite' | 'postgres' };
  clock: { now: () => number };
};

type ReadFree = (folder: string) => Promise<number>;
type Answer = { at: number; hasRoom: boolean };
const answers = new WeakMap<Site['database'], Answer>();

/** Whether the disk of the database has room for what the site could do without, such as analytics. */
export const hasRoomOnDisk = async (
  site: Site,
  readFree: ReadFree = readFreeBytes,
): Promise<boolean> =>
  // PostgreSQL has a disk of its own, which we can't see.
  site.database.dialect === 'postgres' || (await hasRoomForFiles(site, readFree));

/** Whether our own disk has it. */
export async function hasRoomForFiles(
  { config, database, clock }: Site,
  readFree: ReadFree = readFreeBytes,
): Promise<boolean> {
  const now = clock.now();
  const known = answers.get(database);
  if (known && Math.abs(now - known.at) < KNOWN_FOR_MS) return known.hasRoom;
  const hasRoom = (await readFree(config.dataDir)) >= OPTIONAL_RESERVE_BYTES;
  answers.set(database, { at: now, hasRoom });
  return hasRoom;
}

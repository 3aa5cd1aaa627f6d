import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';

export type ByteRange = { start: number; /** The last byte, included. */ end: number };
type StoredFile = { size: number };
export type ListedFile = StoredFile & { key: string; modifiedAt: number };

type PresignOptions = {
  expiresInSeconds: number;
  mediaType: string;
  /** The Content-Disposition that the store answers with. */
  disposition?: string;
};

/** A file store. We generate the keys; they look like `avatars/<id>.webp`. */
export type Storage = {
  /** Atomic: a reader never sees half a file. */
  put: (key: string, content: Uint8Array | Readable) => Promise<void>;
  /** Moves a local file into the store, or copies it if it cannot be moved. */
  adopt: (key: string, path: string) => Promise<void>;
  /** Every file below a folder, or of the whole store, in no order. */
  list: (folder?: string) => AsyncIterable<ListedFile>;
  /** Deletes what killed `put` calls left behind before this time. */
  deleteUnfinished: (before: number) => Promise<void>;
  /** Null if the file is missing. The caller must consume or destroy the stream. */
  open: (key: string, range?: ByteRange) => Promise<(StoredFile & { stream: Readable }) | null>;
  stat: (key: string) => Promise<StoredFile | null>;
  /** Deleting a missing file is no error. */
  delete: (key: string) => Promise<void>;
  /** A short-lived URL that works without us; null if the store cannot serve files itself. */
  presignRead: ((key: string, options: PresignOptions) => Promise<string>) | null;
  /** The path of a file on the local disk; null if the store is remote. */
  localPath: ((key: string) => string) | null;
  /** Rejects if files cannot be written and read back. */
  probe: () => Promise<void>;
  /**
   * Only on the local disk: from now on, nothing is read from or written to another folder in its
   * place, such as the empty one that a lost mount leaves.
   */
  rememberFolder?: () => Promise<void>;
};

/** A store on the network. */
export type RemoteStorage = Storage & {
  presignRead: NonNullable<Storage['presignRead']>;
  localPath: null;
};

/** A key is a relative path of plain names, so it cannot leave the store. */
export const isStorageKey = (key: string): boolean =>
  /^[a-z0-9][a-z0-9-]*(?:\/[a-z0-9][a-z0-9._-]*)+$/.test(key) && key.length <= 200;

export function assertStorageKey(key: string) {
  if (!isStorageKey(key))
    throw new Error(`Not a storage key: ${JSON.stringify(key.slice(0, 200))}`);
}

/** The path of a stored file on this machine: the store's own file, or a copy written to `path`. */
export async function fetchToDisk(storage: Storage, key: string, path: string): Promise<string> {
  if (storage.localPath) return storage.localPath(key);
  const file = await storage.open(key);
  if (!file) throw new Error(`The file ${key} is missing from the store.`);
  await pipeline(file.stream, createWriteStream(path));
  return path;
}

/** Rejects unless a file can be written, read back unchanged and deleted. */
export async function probeStorage(storage: Omit<Storage, 'probe'>) {
  const key = `probes/${randomBytes(8).toString('hex')}`;
  const written = randomBytes(16);
  try {
    await storage.put(key, written);
    const file = await storage.open(key);
    if (!file || !(await buffer(file.stream)).equals(written))
      throw new Error('A file read back differs from the file written.');
  } finally {
    await storage.delete(key);
  }
}

import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { Deps } from '../../deps.ts';

/** A stored file as one on this machine: the store's own, or a copy at `path`. */
export async function fetchToDisk({ storage }: Deps, key: string, path: string): Promise<string> {
  if (storage.localPath) return storage.localPath(key);
  const file = await storage.open(key);
  if (!file) throw new Error(`The file ${key} is missing from the store.`);
  await pipeline(file.stream, createWriteStream(path));
  return path;
}

import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import type { Storage } from './storage.ts';

export async function hashFile(
  path: string,
  { signal }: { signal?: AbortSignal } = {},
): Promise<{ size: number; sha256: string }> {
  const hash = createHash('sha256');
  let size = 0;
  const options = { highWaterMark: 1024 * 1024, ...(signal && { signal }) };
  for await (const chunk of createReadStream(path, options)) {
    hash.update(chunk as Buffer);
    size += (chunk as Buffer).length;
  }
  return { size, sha256: hash.digest('hex') };
}

export async function hashStream(stream: Readable): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of stream) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

/** Null if the file is missing. */
export async function hashStored(storage: Storage, key: string): Promise<string | null> {
  const file = await storage.open(key);
  return file && hashStream(file.stream);
}

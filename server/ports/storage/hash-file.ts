import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import type { Storage } from './storage.ts';

/** As much as is read at a time. A small file takes no more than itself: a backup has hundreds. */
const READ_BYTES = 1024 * 1024;

export async function hashFile(
  path: string,
  { signal }: { signal?: AbortSignal } = {},
): Promise<{ size: number; sha256: string }> {
  const hash = createHash('sha256');
  const file = await open(path);
  try {
    const { size: expected } = await file.stat();
    // One more than the file has, so that the first read of a small one meets its end.
    const buffer = Buffer.allocUnsafe(Math.min(expected + 1, READ_BYTES));
    let size = 0;
    for (;;) {
      signal?.throwIfAborted();
      const { bytesRead } = await file.read(buffer, 0, buffer.length, null);
      if (bytesRead === 0) break;
      hash.update(buffer.subarray(0, bytesRead));
      size += bytesRead;
    }
    return { size, sha256: hash.digest('hex') };
  } finally {
    await file.close();
  }
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

import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import type { Storage } from './storage.ts';

/** Rejects unless a file can be written, read back as it was, and deleted. */
export async function probeStorage(storage: Omit<Storage, 'probe'>) {
  const key = `probes/${randomBytes(8).toString('hex')}`;
  const written = randomBytes(16);
  try {
    await storage.put(key, written);
    const file = await storage.open(key);
    if (!file || !(await buffer(file.stream)).equals(written))
      throw new Error('The file read back is not the file written.');
  } finally {
    await storage.delete(key);
  }
}
